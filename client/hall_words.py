"""What the lobby says where there is nothing to choose: how to get to a table, and what is to be typed.

For: the lobby's screen and its plain mode. Never: layout.
"""

from __future__ import annotations

from p2p.find import DEFAULT_PORT

from .hall import Hall, Page
from .text import clean, clean_name

EXAMPLE = f"192.168.1.7:{DEFAULT_PORT}"

HELP = f"""\
Tables that are open in this network show by themselves, and vanish when they are closed.

Up, Down        choose a line; its number marks it, too
Enter           join the table, or go on with the game
h               host a table: others see it at once
j               join by address, table name or code
p               past games: replay them, check them
n               the name that others see
F1              this; in the form: the rules of the game
Esc             one page back
q, Ctrl-C       leave the program
Everything can be clicked, too.

When a table does not show here (guest networks and some firewalls keep computers from hearing each other), its host's \
screen tells the address: press j and type it, or run: p2pgame join {EXAMPLE}"""


def page_text(hall: Hall) -> str:
    """What a page says that has nothing to choose."""
    if hall.page is Page.HELP:
        return HELP
    if hall.page is Page.PAST:
        return "No game has been finished here yet."
    if not hall.lonely:
        return "Listening for tables …\n\nh hosts one."
    why = f"No table is to be heard of: {clean(hall.problem)}." if hall.problem else ""
    return (
        f"{why or 'No table is to be heard of in this network.'}\n\n"
        f"If somebody is hosting one, their screen shows an address. Press j and type it, as in\n"
        f"  {EXAMPLE}\n"
        f"or in a shell: p2pgame join {EXAMPLE}\n\n"
        "Or host a table yourself: h."
    )


def typed_question(hall: Hall) -> str:
    """What is to be typed."""
    if hall.page is Page.NAME:
        return "The name that others see at the table:"
    if hall.page is Page.CODE:
        asked = hall.asked
        name = clean_name(asked.table_name) if asked is not None else "?"
        return f'Table "{name}" is private. Its host knows the code; capitals and dashes do not matter.\nThe code:'
    return (
        "What the host's screen shows (the whole line will do), a table's name, or a private one's code. For example:\n"
        f"  {EXAMPLE}\n"
        "  [fe80::1c2b:ff%eth0]:24816\n"
        "Address, name or code:"
    )
