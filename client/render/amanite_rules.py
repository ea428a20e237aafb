"""The rules of Amanite in brief, with the rulings that this program takes where a table of people would have to agree.

For: `p2pgame rules amanite` and the rules page (F1). Never: sentences of the printed rulebook; this is a summary.
"""

from __future__ import annotations

RULES = """\
AMANITE · 2 to 4 players

The aim
Gather the mushrooms that turn out to be worth most. At first nobody knows which colour is worth what, and who ends \
up with too much poison is out.

The forest
- Tokens: ten each of blue, green, purple, red, white and yellow mushrooms, and four pigs, all in one bag. On the \
screen a token is the first letter of its colour, a pig is &.
- Tiles: one more than there are players. A tile has a pin space on the left and a split space on the right.
- Everybody has two meeples and two notebooks.
- Bag, tiles and what everybody has gathered are open to all. Hints are not.

Attributes
Each mushroom colour has one of six attributes, dealt face down. Antidote and poison are always among them; the \
table agrees on the other four (option attributes; -1, 1, 2 and 3 for a first game).
- -1, 1, 2, 3: so many points for each token.
- antidote, poison, elixir: 5 points for each poison that meets an antidote or an elixir; 3 points less for each \
antidote that meets an elixir. A token can count in both. With more poison than antidotes and elixirs together you \
are out.
- count: -5, 0, 3 or 12 points for no, one, two or three tokens; with four or more you are out.
- two: 8 points for exactly two tokens.
- majority: 10 points for the most, 4 for the second most. Tied for the most: 7 each, and no second place. Tied for \
second: 2 each. Nobody places without a token, and who is out does not count.
- A pig is always worth 3 points.

The start
In turn order everybody takes a start card and chooses its side: three colours. You see a hint of each of them, but \
the three are shuffled: you know which attributes your colours have together, not which has which.

Three rounds of this
1. Growth: each tile gets 4 tokens from the bag, in round two 5, in round three 6.
2. Meeples: in turn order everybody places one, and then a second one: on the pin of an empty tile, or on the split \
space of a tile where one other meeple is. Who takes the split space divides the tokens at once into two piles of at \
least one token. Never two of your own on a tile.
3. Gathering, tile by tile from the left:
   - With two meeples, the one on the pin takes a pile and the other one gets the rest.
   - A meeple alone takes exactly two tokens of its choice; the others go back into the bag.
   - Without a meeple all go back.
   - Each pig that you take eats one of your mushrooms at once, new or old, as you like; it goes back into the bag. If \
you have none, nothing is owed.
4. Hints, after rounds one and two only: from the last player counterclockwise everybody places a notebook on a \
mushroom with a free space and looks at its hint, alone. A mushroom has one space with two players, two with more. \
Notebooks stay. Then the next player clockwise is the first.

The end
All attributes are turned over. Most points win; then fewest mushrooms, pigs not counted; then the victory is shared.

How this program reads the rules
- Chance decides who begins, unless the table agrees on a seat (option first).
- If the bag runs out in round three, the last tile gets what is left.
- Piles may be divided in any way, pigs included. Both turns of placing begin with the first player.
- The pigs of the pin player eat before the other one takes the rest.
- Only pigs just taken eat, one mushroom each, as long as there are some. What is no choice is not asked.
- A notebook has to be placed, even if it tells nothing new. Both of yours may be on one mushroom if there is room.
- Totals may be negative. If only one player is not out, that one wins with any total; if all are out, nobody wins.
- Tokens are drawn only after the last choice of the round before, so nobody can know what will come.
- Nobody's time runs out. For a player who has left, the first thing that is possible is taken each time, and their \
tokens are scored as ever.
"""
