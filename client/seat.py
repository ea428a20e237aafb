"""Moved to p2p/feed.py, since the node implements it; import from there."""

from p2p.feed import Asked, Changed, Chat, Fault, Finished, TableFeed, Told, Update

__all__ = ["Asked", "Changed", "Chat", "Fault", "Finished", "TableFeed", "Told", "Update"]
