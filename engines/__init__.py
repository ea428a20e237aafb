"""The rulebooks, and the vocabulary in which a game asks the table for things. Standard library only."""
