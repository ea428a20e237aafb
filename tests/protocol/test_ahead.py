"""A pass made ahead, from cards that are still being checked: the chain is the same, and nothing of it comes out early.

The sessions here play commit, keys and one shuffle among three seats, their jobs in a chosen order.
"""
