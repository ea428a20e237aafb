"""Every quantity that a peer can make grow, with its cap and the reason for it."""

from __future__ import annotations

FRAME_BYTES = 256 * 1024
"""One frame on a link, and one record in a file. A pass over MAX_CARDS cards is about 45 kB."""
CONTRIBUTION_BYTES = 128 * 1024 - 64
"""One contribution. Two of them, the proof of a fork, fit into one record."""
PROMISE_BYTES = CONTRIBUTION_BYTES - 1024
"""The proofs of one promise, which leave room for the rest of its contribution."""
DEPTH = 8
"""Nesting of a message: contribution / body / proof / known / bytes leaves four to spare."""
ITEMS = 8192
"""Entries of one list or map. Points and scalars travel as bytes; picked cards are some dozens at most."""
STRING_BYTES = 4096
"""One text string. Chat lines are the longest and have a smaller cap of their own."""

MAX_SEATS = 8
"""Seats at a table. The largest game has six."""
MAX_CARDS = 256
"""Cards in one shuffle. The largest deck has 84."""
MAX_DECK = 4096
"""Cards ever created at one table: Amnesia deals its 58 anew some sixty times, and ends the game before the last."""
FLIPS = 1024
"""Length of a seat's flip chain: the number of public chances in one table."""

NAME_BYTES = 64
"""A player's or a table's name, in UTF-8."""
CHAT_LINES = 5
"""Lines of chat that one seat may say a second; more are not shown."""
CHAT_BYTES = 1024
"""One line of chat, in UTF-8."""

CHAT_WAITING = 256
"""Lines of chat that a screen has not shown yet; more are not shown. What else waits for it is part of the game."""

CATCH_UP_BYTES = 512 * 1024
"""Contributions sent at once to a peer that is behind. It says again how far it is, and gets more."""
AHEAD_STEPS = 16
"""Steps beyond the current one from which a contribution is kept. Peers that owe nothing run ahead by some eight."""
AHEAD_BYTES = 1024 * 1024
"""Total size of the contributions kept early, per seat. Beyond it they are dropped and fetched again."""
STRAYS = 16
"""Contributions of one seat that rest on a history other than ours and are kept, as half of what may prove a fork."""

HANDSHAKE_BYTES = 1024
"""One frame of a stranger, before it has proven who it is. The longest, a refusal in words, is some 300."""
WORDS_BYTES = 256
"""A reason in words that one program gives another, in UTF-8."""
LINKS = 64
"""Connections to one server, proven or not. Seven other seats, some who ask to join, and the lobbies' probes."""
LINKS_PER_ADDRESS = 24
"""Of these, connections from one address. A demo has all its peers on one machine."""
LINK_INBOX = 16
"""Messages of one link that are received and not yet taken. Beyond it the sender has to wait."""
LINK_QUEUE_BYTES = 4 * 1024 * 1024
"""What waits to be written to one link. A whole long transcript is smaller; slower readers are dropped."""
ADDRESSES = 16
"""Addresses of one peer that are tried. A laptop with Wi-Fi, cable and VPN has some eight."""

TXT_BYTES = 1024
"""The text record of an announced table."""
TABLES_SHOWN = 64
"""Announced tables that a lobby follows at once."""
TABLES_WAITING = 4096
"""Announced tables that wait until a lobby follows them."""

WRONG_CODES = 3
"""Wrong codes after which the door of a private table stays shut. A stranger guesses one of 2^35 with each."""
KNOCKS = 32
"""Password exchanges begun at one door and not brought to a good end: each costs the host some 8 ms of arithmetic."""
HINTS = 8
"""Addresses heard in the network that are tried for a lost peer, besides those it gave itself."""

KNOWN_PLAYERS = 4096
"""Players that a profile remembers."""
BANNED = 1024
"""Identities that a profile remembers as excluded from one game."""
LOG_BYTES = 64 * 1024 * 1024
"""The durable log of one table. The longest games stay below 10 MB."""
