"""The rules of Amnesia in brief, with the rulings that this program takes where a table of people would have to agree.

For: `p2pgame rules amnesia` and the rules page (F1). Never: sentences of the printed rulebook; this is a summary.
"""

from __future__ import annotations

RULES = """\
AMNESIA · 2 to 6 players

The aim
Have the fewest points on your cards, most of which you have never seen or have to remember. Who ends above the limit \
owes the forfeit that all have agreed to.

The cards
58: four each of 1 to 10, Scientist, Thief, Detective and Fisherman, and two Jokers. Numbers count what they show, a \
Joker nothing, the four figures 11. A 7 is also a DJ.

The start of a hand
Everybody is dealt four cards face down, 1 and 2 above, 3 and 4 below. The dealer turns the first discard up; it has \
no power. Then everybody may look once at the two bottom cards. What you see is shown once and then taken away: \
remember it. Play goes counterclockwise, beginning at the dealer's right; the dealer comes last in each round.

Your turn
- Draw from the pile, and exchange the card for one of yours or discard it; or take the last discard, which has to be \
exchanged. Whoever says so while drawing has to discard. What is exchanged goes to the discards, seen by all.
- Without cards you can only draw and discard.

Snapping
Once the dealer's first turn is over, anybody who is not holding a drawn card may discard cards that are the same as \
the last discard, out of turn: the same number or the same figure. If a card does not match, all have seen it, it goes \
back, and you get two unseen cards. Several cards are snapped one after the other, up to the first mismatch. Taking \
the last discard ends it until the next discard. Before the cards are revealed there is a last chance.

Powers, when a card is discarded in turn
- 7, the DJ: shuffle the cards of another player.
- Scientist: look at a card of yours.
- Thief: exchange a card of yours with one of another player; nobody looks.
- Detective: look at a card of another player; its owner does not see it.
- Fisherman: add an unseen card from the pile to yours.
Who passes can be made to use it: until the next player has discarded, any other player may demand it. There is no \
power on snapped cards, on a player's first turn of the hand, and on the last one.

The end of a hand
On your turn, before you discard, you may call "Amnesia", whatever your cards are; only one player can in a hand. The \
turn goes on, and everybody else has one more. Then all cards are opened.
- The caller with 0 to 5 points gets -10, with 6 nothing, with 7 to 10 gets 10, with more 20.
- The others get the sum of their cards.
Then the next player deals.

The end of the game
Classic: above 80. Turbo: above 40 (option mode). Exactly the limit goes on. Everybody above it has lost, the lowest \
total wins, or several that are equal. Then the others say of each loser whether the forfeit (option forfeit) was \
done; more than half have to say no. Who does not fulfil it is remembered for it by those who were there, who admit \
them to no table of this game any more.

Penalties
One unseen card for whatever is against these rules, and the act itself is void: acting out of turn, a second draw, \
discarding what was taken, keeping what was drawn to be discarded, snapping in the first round or with a card in hand, \
a second call, demanding what is not due. Looking at a card of yours without the right to costs one card too, but you \
see it; looking before the first discard is seen is possible once in a hand. Such acts are not offered: type them in \
full (? lists them).

How this program reads the rules
- Chance decides who deals first, then it goes counterclockwise.
- A power is for another player where the rulebook speaks of a teammate. One without a target is void.
- A figure taken from the discards has no power; when it goes out again in turn, it has.
- A card alone cannot be shuffled: the DJ changes nothing.
- Reactions are settled in playing order, from the right of whoever discarded last, before the choice of the player \
whose turn it is; if that is no longer possible then, it is asked for again. Of two demands the first counts.
- There is time to react after each discard (option reaction, in seconds); then your program passes for you.
- A card that came from the discards lies open until it is moved. The log names all cards that everybody has seen, and \
no others.
- If the pile is empty, all but the last discard are shuffled. If there is nothing to shuffle either, penalties are \
waived and the last discard has to be taken; who cannot do that is passed over.
- If nobody calls, a hand stops after 30 rounds (option rounds), and all get the sum of their cards.
- With all totals above the limit, the lowest wins, and owes the forfeit like the others.
- Only the time to react runs out. A player who has left draws and discards, takes and exchanges the first card only \
if nothing can be drawn, passes on a power (one that was demanded goes to the first target), and says that a forfeit \
was done.
"""
