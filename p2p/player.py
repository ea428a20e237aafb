"""One seat of a running table: the replicated table, its log and its links in step. Does IO: links, threads, a log.

For: the node, once there is a contract. Never: a contribution sent before it is on the disk, a seed told before
all have closed, or an exception because of what a peer sent.

Theory of operation: after every message and every finished job the table's effects are carried out. Jobs run in
threads. What the table publishes is written and synced first, then sent to everybody (outbox.py). What is new here is
passed on; whatever got lost on the way is found by comparing how far each peer is (progress.py).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from secrets import token_bytes
from typing import Any

import trio

from engines.menus import Choice
from engines.requests import Ask, Tell
from protocol import messages
from protocol.contribution import CLOSING
from protocol.effects import Arrival, Astray, Chained, Fault, Fork, Job, Left, Publish
from protocol.errors import Malformed, Refused
from protocol.identity import Identity
from protocol.leaving import FEWEST
from protocol.pool import SALT, Pool
from protocol.secrets import Secrets

from . import ending, feed, lobby, talk
from .attendance import Attendance
from .journal import Log
from .link import Link
from .lobby import Formed
from .mesh import Mesh
from .outbox import Outbox
from .parting import Parting, message
from .progress import Progress
from .status import WHY, Phase, Presence, SeatStatus, Status
from .table import Complete, Prepare, Reveal, Table
from .threads import all_cores

THREADS = 2
THINKING = 0.5
"""Seconds after a question until what can be prepared for later is: by then the others have come to it, too."""
TICK = 1.0
HAVE_EVERY = 2
"""Ticks between two times that a peer says how far it is."""

LEFT = "you have left the table, and the others go on"
NOTHING_TO_LEAVE = "The game is over, and its record is only being closed: there is nothing to leave any more."
log = logging.getLogger("p2pgame.player")


class Player:
    """A seat at work. `over` is set when nothing more will be contributed: the table is complete, or has ended early;
    then `status.fault` says why. `before`: what the log of an interrupted table holds, for a seat that comes back;
    `pool`: what has been worked out from this seed already."""

    def __init__(
        self,
        formed: Formed,
        identity: Identity,
        seed: bytes,
        journal: Log,
        nursery: trio.Nursery,
        status: Status,
        emit: Callable[[feed.Update], None],
        *,
        before: Sequence[bytes] | None = None,
        pool: Pool | None = None,
    ) -> None:
        contract = formed.contract
        self.formed = formed
        self.over = trio.Event()
        self.done_with: dict[int, bytes] = {}
        """Identity of the file that each other seat has sealed."""
        self.mesh = Mesh(formed, identity, nursery, self._refresh)
        self._seed = seed
        self._status = status
        self._emit = emit
        self._jobs, self._work = trio.open_memory_channel[Job](math.inf)
        self._chores, self._idle = trio.open_memory_channel[Prepare](math.inf)
        self._asked: tuple[int, int] | None = None
        self.leaving = False
        self._going = False
        self._wishing: set[int] = set()
        self._news = trio.Event()
        self._ticks = 0
        self._shuffling = -1
        self._ear = talk.Ear()
        self._begun: Link | None = None
        """The link over which the host has begun; another seat may have done so before."""
        secrets = Secrets(seed, contract.table, formed.seat)
        secrets.pool = pool or Pool(secrets, token_bytes(SALT))
        self.table = Table(
            contract,
            formed.signatures,
            seat=formed.seat,
            identity=identity,
            secrets=secrets,
            listen=self._told,
            mute=before is not None,
            spread=all_cores(),
        )
        untold = set(range(len(contract.seats))) - {formed.seat} if before is not None else set[int]()
        self.parting = Parting(self.table, identity, self._lost, self.mesh.broadcast, untold)
        self._before = tuple(before or ())
        self.outbox = Outbox(self.table, self.mesh, journal, status, self._refresh, self._before)
        self.progress = Progress(self.table, self.mesh, self.parting, self.outbox.unsent, untold)
        self._began = trio.current_time()
        status.seats = [SeatStatus(unmet=seat != formed.seat) for seat in range(len(contract.seats))]
        self.attendance = Attendance(self.table, self.mesh, status.seats)
        status.phase = Phase.SEALING

    async def replay(self) -> None:
        """Go through what the log holds, one after the other, before anything else."""
        for data in self._before:
            self.table.receive(data)
            while effects := self.table.take():
                for effect in effects:
                    if isinstance(effect, Job):
                        self.table.done(effect.id, await trio.to_thread.run_sync(effect.outcome))
                    elif isinstance(effect, Chained):
                        self._count(effect)
                    elif isinstance(effect, Left):
                        self._departed(effect.seat)
                    elif isinstance(effect, Fault | Fork):
                        self._convict(effect)
                    elif isinstance(effect, Reveal):
                        self._reveal()

    async def run(self, nursery: trio.Nursery, converse: Callable[[Link], Any]) -> None:
        """Play until `over`. `converse` is the life of each link that is made on the way."""
        for other in range(self.table.seats):
            if other == self.mesh.seat:
                continue
            nursery.start_soon(self.mesh.keep, other, converse)
        for _ in range(THREADS):
            nursery.start_soon(self._labour)
        nursery.start_soon(self._prepare, nursery)
        nursery.start_soon(self.outbox.run, self._sent)
        nursery.start_soon(self._tick)
        self._pump()
        await self.over.wait()

    # -- what the player does --------------------------------------------------------------------------------------

    def choose(self, choice: Choice) -> None:
        """Decide. Errors: Misuse (nothing is asked), Refused (against the rules; nothing has happened)."""
        self.table.choose(choice)
        self._pump()

    def chat(self, text: str) -> None:
        """Say a line to everyone."""
        if line := talk.cut(text):
            self.mesh.broadcast(messages.make("chat", text=line))
            self._emit(feed.Chat(self.mesh.seat, line))

    def leave(self) -> None:
        """Leave properly if the game can go on without this seat, at the next occasion; else give it up, unless it is
        over but for the closing, or has ended early."""
        if self.over.is_set():
            return
        if self.table.ceremony.kind == CLOSING:
            self._status.notes.append(NOTHING_TO_LEAVE)
            self._refresh()
            return
        self.leaving = True
        if self.table.leave():
            self._pump()
        else:
            self._going = True
            self._go()

    def _go(self) -> None:
        """Give the game up, as soon as all that we have signed is sent."""
        if self.over.is_set() or self.outbox.unsent:
            return
        if (signed := self.parting.give_up()) is not None:
            self.mesh.broadcast(signed)
        self.mesh.broadcast(messages.make("leave"))  # for whoever is not as far as we are
        self._end("you have left the table")

    def abandon(self) -> None:
        """Wait no longer for a seat that is lost: the table ends when all who are here want that."""
        self.parting.wished = self.parting.possible
        self._pump()

    # -- links and messages ----------------------------------------------------------------------------------------

    def attach(self, link: Link) -> None:
        """A link to one of the seats; both sides tell how far they are. Errors: Refused (a stranger)."""
        if self.mesh.seat_of(link) is None:
            raise Refused("this table is closed to strangers")
        if not self.mesh.attach(link):
            raise Refused("we are connected already")
        self.mesh.send(link, lobby.begin(self.formed))
        self.mesh.send(link, self.progress.mine())
        self.progress.send_parting(link)

    def message(self, link: Link, kind: str, content: dict[str, Any]) -> None:
        """A message over a link. Errors: ProtocolError, the fault of that link."""
        seat = self.mesh.seat_of(link)
        if seat is None:
            raise Refused("this table is closed to strangers")
        if kind == "item":
            if self.table.receive(content["data"]) is Arrival.NEW:
                self.mesh.broadcast(messages.make("item", data=content["data"]), but=link)
        elif kind == "have":
            self.progress.compare(link, content)
        elif kind == "want":
            self.progress.send_since(link, content["rounds"])
        elif kind == "seed":
            if self.table.receive_seed(content["seat"], content["seed"]):
                self.mesh.broadcast(messages.make("seed", **content), but=link)
        elif kind == "done":
            self.done_with[seat] = content["hash"]
            self._news.set()
        elif kind == "chat":
            speaker, line = seat, talk.checked(content["text"])
            if seat == 0 and link is not self._begun:  # what the host passed on in the waiting room, and comes late
                place, _, line = line.partition(" ")
                if place not in map(str, range(self.table.seats)):
                    raise Malformed("chat: somebody without a seat")
                speaker = int(place)
            if self._ear.hears(seat):
                self._emit(feed.Chat(speaker, line))
        elif kind == "leave":
            self.attendance.gives_up(seat)
        elif kind == "abandon":
            if self.parting.hear(seat, content):
                self.mesh.broadcast(messages.make("abandon", **{**content, "final": False}), but=link)
                self._tell_wishes()
        elif kind == "begin":
            if seat == 0:
                self._begun = link
            self._compare_signatures(content["contract"], content["signatures"])
        else:
            raise Refused(f"a {kind} has no place at a table")
        self._pump()

    @property
    def gives_up(self) -> bool:
        """This seat has gone and thereby ended the table: it waits for nobody."""
        return self.leaving and self.table.abandoned is not None

    async def others_done(self) -> None:
        """Until every seat that is connected has sealed its file. After an early end also the lost ones are waited for:
        they may come back and should hear of it."""
        table, status = self.table, self._status
        left = {seat for seat, one in enumerate(status.seats) if one.presence is Presence.LEFT}
        early = set(range(table.seats)) - left - {self.mesh.seat, status.cheater} if status.fault else set()
        while (early | set(self.mesh.links)) - {status.cheater} - set(self.done_with):
            self._news = trio.Event()
            await self._news.wait()

    def _lost(self) -> list[int]:
        return [seat for seat, one in enumerate(self._status.seats) if one.presence is Presence.LOST]

    def _compare_signatures(self, contract: bytes, signatures: list[object]) -> None:
        """Others greet with the contract as they have it. Who has signed it in two ways has made two tables of it, and
        before the first round is complete nobody knows which is whose. Errors: ProtocolError."""
        mine = self.formed
        if self.table.session.chain or self.over.is_set() or contract != mine.contract.data:
            return
        mine.contract.check_signatures(signatures)
        twice = [one.name for one, a, b in zip(mine.contract.seats, mine.signatures, signatures, strict=True) if a != b]
        if twice:
            self._end(f"{', '.join(twice)} signed the contract in two different ways, so there is no common table")

    def _tell_wishes(self) -> None:
        """Who wishes to wait no longer, once each."""
        names, wishing, lost = self.table.contract.names, self.parting.wishing, self._lost()
        for seat in sorted(wishing - self._wishing) if lost else ():
            told = f"{names[seat]} does not want to wait any longer for {', '.join(names[one] for one in lost)}."
            if not self.parting.wished:
                told += " If you agree, say abandon: when all who are here have said it, the game ends unfinished."
            self._status.notes.append(told)
        self._wishing = wishing

    def _give_up(self, seat: int) -> None:
        """The game is given up in mere words. Whoever they do not reach hears that we have gone, too."""
        self._status.seats[seat].presence = Presence.LEFT
        self._end(f"{self.table.contract.names[seat]} has left, and the game is unfinished")
        self.mesh.broadcast(messages.make("leave"))

    # -- effects ---------------------------------------------------------------------------------------------------

    def _pump(self) -> None:
        """Carry out what the table wants."""
        while effects := self.table.take():
            for effect in effects:
                if isinstance(effect, Job):
                    self._jobs.send_nowait(effect)
                elif isinstance(effect, Prepare):
                    self._chores.send_nowait(effect)
                elif isinstance(effect, Publish):
                    self.attendance.said(effect.contribution.place)
                    self.outbox.publish(effect.contribution)
                elif isinstance(effect, Chained):
                    self._count(effect)
                    self.attendance.chained(effect.round)
                    self.outbox.keep(effect.round)
                    self.progress.chained()
                elif isinstance(effect, Left):
                    self._departed(effect.seat)
                elif isinstance(effect, Fault | Fork):
                    self._convict(effect)
                elif isinstance(effect, Astray):
                    self.progress.astray()
                elif isinstance(effect, Reveal):
                    self._reveal()
                elif isinstance(effect, Complete):
                    if self.mesh.seat in self.table.leavers:  # the others were through before they told us
                        self._end(self._gone())
                    self.over.set()
        mine, links = self.mesh.seat, set(self.mesh.links)
        told = links and links <= self.progress.have_mine | set(self.done_with)
        if told if mine in self.table.leavers else self.table.deserted:
            self._end(self._gone())  # all know it; when the round is complete is the affair of those who stay
        self._refresh()
        if not self.over.is_set():
            self._look_for_an_end()

    def _look_for_an_end(self) -> None:
        """Signed, or else in mere words."""
        table = self.table
        if self.parting.look() and table.abandoned:
            self.mesh.broadcast(message(table.abandoned, final=True))
            if len(table.deck.serving) < FEWEST and self.mesh.seat not in table.abandoned.seats:
                self._give_up(table.abandoned.seats[0])
            else:
                self._end(ending.words(table, table.abandoned))
        elif not (table.closed or self.parting.expected) and (gone := self.attendance.given_up()) is not None:
            self._give_up(gone)

    def _reveal(self) -> None:
        """All have closed: tell the seed."""
        self.outbox.send(messages.make("seed", seat=self.mesh.seat, seed=self._seed))
        self.table.receive_seed(self.mesh.seat, self._seed)

    def _departed(self, seat: int) -> None:
        """A seat has left properly; the game goes on."""
        self._status.seats[seat].presence = Presence.LEFT
        self.progress.departed(seat)
        self.mesh.forget(seat)
        if self.leaving and self.mesh.seat not in self.table.leavers:
            self.leave()  # with two left that has become giving the game up

    def _gone(self) -> str:
        """This seat has left, or all others have."""
        return ending.desertion(self.table) if self.table.deserted else LEFT

    def _convict(self, effect: Fault | Fork) -> None:
        """Somebody is caught: show everybody what shows it, and end the table."""
        evidence = [effect.contribution] if isinstance(effect, Fault) else [effect.first, effect.second]
        for item in evidence:
            self.mesh.broadcast(messages.make("item", data=item.data))
        names, step = self.table.contract.names, evidence[0].place[0]
        who = "Somebody" if effect.seat is None else names[effect.seat]
        what = effect.reason if isinstance(effect, Fault) else "two different things signed for one place"
        self._end(f"{who} broke the protocol in step {step}: {what}")
        self._status.broken, self._status.cheater = True, effect.seat

    def _end(self, why: str) -> None:
        if not self.over.is_set():
            self._status.fault, self._status.phase = why, Phase.STOPPED
            self.over.set()
            self._refresh()

    def _told(self, event: Tell) -> None:
        self._emit(feed.Told(event))

    # -- tasks -----------------------------------------------------------------------------------------------------

    async def _labour(self) -> None:
        async for job in self._work.clone():
            outcome = await trio.to_thread.run_sync(job.outcome)
            if not self.over.is_set():
                self.table.done(job.id, outcome)
                self._pump()

    async def _prepare(self, nursery: trio.Nursery) -> None:
        """Work that nobody waits for, some of it when people have begun to think."""

        async def work(chore: Prepare) -> None:
            await trio.sleep(0 if chore.soon else THINKING)
            await trio.to_thread.run_sync(chore.run, abandon_on_cancel=True)

        async for chore in self._idle:
            nursery.start_soon(work, chore)

    def _sent(self) -> None:
        """What was to be said has been."""
        if self._going:
            self._go()
        if self.mesh.seat in self.table.deck.left:
            self._end(self._gone())

    async def _tick(self) -> None:
        while True:
            await trio.sleep(TICK)
            self._ticks += 1
            if self._ticks % HAVE_EVERY == 0:
                self.mesh.broadcast(self.progress.mine())
            self._refresh()

    # -- what people see -------------------------------------------------------------------------------------------

    def _count(self, chained: Chained) -> None:
        """What stands in the record now, for whoever asks what has been checked."""
        status = self._status
        for item in chained.round:
            status.steps[item.kind] = status.steps.get(item.kind, 0) + 1
            if item.kind == "shuffle":
                if item.step != self._shuffling:  # not round 0: who has left passes
                    self._shuffling = item.step
                    status.shuffles.append([])
                status.shuffles[-1].append(item.seat)

    def _refresh(self) -> None:
        """Bring the status up to date and say that something has changed."""
        status, table, session = self._status, self.table, self.table.session
        self.attendance.look()
        status.waiting_for = list(session.waiting_for())
        status.waiting_why = WHY.get(table.ceremony.kind, "")
        status.proofs, status.cards = session.checks, len(table.deck.faces)
        status.sealed = table.sealed_by()
        if table.run and not self.over.is_set():
            status.result = table.run.result
            if table.run.result is not None:
                status.phase = Phase.CLOSING
            elif isinstance(table.run.pending, Ask) and status.phase is Phase.SEALING:
                status.phase = Phase.PLAYING
                status.seconds["deal"] = round(trio.current_time() - self._began, 3)
        self._news.set()
        self._emit(feed.Changed())
        if table.menu is not None and self._asked != session.place:
            self._asked = session.place
            self._emit(feed.Asked())
