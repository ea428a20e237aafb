"""The rules of Fungi in brief, with the rulings that this program takes where a table of people would have to agree.

For: `p2pgame rules fungi` and the rules page (F1). Never: sentences of the printed rulebook; this is a summary.
"""

from __future__ import annotations

RULES = """\
FUNGI · 2 cooks

The aim
Gather mushrooms of one kind and cook them. Whoever has cooked the most flavour when the forest has passed by wins.

The cards
      mushroom           cards  flavour  sticks
  HF  honey fungus          10        1       1
  TE  tree ear               8        1       2
  LW  lawyer's wig           6        2       1
  SH  shiitake               5        2       2
  HW  hen of the woods       5        3       1
  BB  birch bolete           4        3       2
  PO  porcini                4        3       3
  CH  chanterelle            4        4       2
  MO  morel                  3        6       4
PAN pan (11) · BUT butter (3) · CID cider (3) · BSK basket (5) · MOON moon (8) · FLY fly agaric (5).
Eight night cards, one of each mushroom but the morel, are a pile of their own. N-HF is the honey fungus by night: one \
card in the hand that counts as two mushrooms. There are always enough sticks.

The start
Everybody has an empty pan in the display, no sticks, and is dealt three cards. Who has a basket, a moon or a fly \
agaric among them shows it: the basket goes to the display, a moon is exchanged for a night card, a fly agaric just \
goes. Eight cards are the forest; the pair next to the shoes is within reach.

Your turn: one of these, or nothing
- Take a card of the forest. The nearest two are free; from there on each space costs one stick more, six for the last.
- Take the decay pile, all of it.
- Cook at least three mushrooms of one kind in an empty pan, from the display or from the hand. Four or more may have \
butter (3 flavour each), five or more cider (5 flavour each), added at once or never. A dish is closed for good and \
its pan used up. On the board SH×5=16 is a dish that counts as five shiitake, a night card being two, and is worth 16.
- Sell at least two mushrooms of one kind, or a single night card, for the sticks printed on them; a night card \
brings twice its sticks.
- Put down one pan, ready for later and out of the hand.

Your hand
It holds eight cards, and two more for each basket; pans, butter and cider take room like mushrooms. What does not \
fit cannot be taken: you may not discard to make room.
- A basket goes to the display at once.
- A moon is discarded for the top night card.
- A fly agaric leaves room for four cards (baskets still add two each): what is too much you discard at once. It \
stays until the end of your next turn.

After your turn
The card nearest to the shoes goes onto the decay pile; a fifth card there clears the four before it away. The others \
close up and new cards fill the forest.

The end
As soon as the last card of the forest is gone, taken or decayed. Dishes are worth the flavour of their mushrooms, \
and a night card doubles it; then seasoning is added. A tie goes to who has cooked more mushrooms, night cards being \
two.

How this program reads the rules
- Chance decides who begins. Exactly the price is paid; without the sticks the card cannot be taken.
- With a full hand, baskets and fly agarics can still be taken, moons only if no night card is left.
- Of a decay pile, baskets come first, then moons, then fly agarics: you discard what they leave no room for, having \
seen your night cards; then the rest must fit, or the pile cannot be taken at all.
- A second fly agaric does not take more room away; each leaves on its own. What decays untaken does nothing.
- A night card and one day card are enough for a dish, a night card alone is not. Pans and seasoning cannot be sold.
- Butter and cider may be many, and they are not doubled.
- Passing is always allowed: nobody can see what you hold. The forest moves on all the same.
- When the pile is short the forest closes up, and prices follow the new spaces. With its last card the game is over \
at once. Only dishes count; if mushrooms are equal too, the victory is shared.
- What you took in sight stays known to all, and of equal cards these are spent first. That you kept no basket, moon \
or fly agaric in your starting hand is proven without showing it. A dot marks starting cards that the other has not \
seen.
- Nobody's time runs out. Who leaves gives the game up.

Options
- rules=published plays as the game is sold: a night card doubles its own flavour only; each butter takes four \
mushrooms and each cider five more; cards of the decay pile enter the hand before a fly agaric empties it.
- reminder=hidden does not show beside the other's hand what was taken in sight. It is no secret all the same: what \
happened, the log, still tells every card that is taken.
"""
