"""The rules of Mâamut in brief, with the rulings that this program takes where a table of people would have to agree.

For: `p2pgame rules maamut` and the rules page (F1). Never: sentences of the printed rulebook; this is a summary.
A paragraph is one line here, so that it can be wrapped to any width.
"""

from __future__ import annotations

RULES = """\
MÂAMUT · 2 to 4 hunters

The aim
You win when the mammoth falls into a trap of yours, whoever drove it there.

The board
37 hexagonal tiles, laid anew for each hunt; the centre d4 is the cross.
- rock (7): nobody gets onto it.
- grass (18): open to all, and the only ground for traps.
- snow (11) and the cross: open to all, no traps.
Rows are a to g from the bottom, columns count eastwards; ways are E, SE, SW, W, NW, NE.
If more than four rocks lie around the cross, the board is laid again.

The start
36 cards: eight 3s, sixteen 2s, twelve 1s; everybody is dealt three. The mammoth waits on the cross. A drawn hunter \
begins; clockwise from there each hunter chooses a tile of the rim that is no rock and has no other hunter. Turns go \
round in the same order.

Your turn: exactly one of these
- Move: play a card and go straight exactly that many tiles, any way. Rocks and the edge stop you, hunters, traps and \
the mammoth do not; several hunters may stand on one tile. If the full distance is free nowhere, the card cannot move \
you.
- Place a trap where you stand: on grass without a trap, and alone. You have four.
- Destroy another hunter's trap where you stand, alone; its owner gets it back.
- Take back your own trap where you stand, alone.
- Discard a card.
Alone means: no other hunter there, nor the mammoth. After a played or discarded card you draw back to three. When the \
pile is empty, the discards are shuffled into a new one at once.

The mammoth flees
When your hunter enters its tile, on the way or at the end, it flees as many tiles as your card says, straight on in \
your direction. It needs the whole way free of rocks and edge; if it is not, it tries the next ways clockwise, but \
never towards you. When it has fled, you finish your move.
- The first trap on its way ends the hunt, even in mid-flight.
- Hunters whose tile it enters take fright: they go to a neighbouring tile of their choice that is no rock, has no \
other hunter and is not where the mammoth came from; traps do not matter. Who has no such tile is out; who runs on \
ahead of the mammoth can be frightened again.
- If it can flee nowhere, it turns on you and you are out.
Who is out loses hunter, traps and hand; the others go on.

When the mammoth survives
Then nobody wins: no hunter is left, or no trap could ever catch it any more.

How this program reads the rules
- Chance decides who begins. Only the terrain decides whether a move is possible.
- Fright happens on every tile that the mammoth enters, also in the middle of its flight. A trap there comes first. \
Several hunters on one tile take fright in turn order, beginning with the hunter whose turn it is. If there is only \
one refuge, it is taken at once.
- A way that the mammoth cannot take is not entered, so traps on it do nothing.
- Whoever is out goes at once, traps included, even while the mammoth is still running. The hand is shown and \
discarded. The trampled hunter's card is spent and nothing is drawn.
- The program ends the hunt as soon as it is certain that no cards and no cooperation could bring the mammoth into a \
trap. Besides, in your turn you may say once that it has survived; if all other hunters agree, the hunt ends.
- After 100 rounds (option rounds; 0 means never) the mammoth has survived.
- Among cards of the same value the oldest is played, so that the age of a card tells nothing.
- Nobody's time runs out. A player who has left discards the oldest card each time, flees to the first free refuge \
clockwise, starts on the first free tile of the rim clockwise from d7, and never agrees to give up.
"""
