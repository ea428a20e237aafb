"""The `p2pgame` command."""
