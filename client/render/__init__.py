"""One module a game, found by its name: the picture of the table, the words for choices and events, the rules page."""
