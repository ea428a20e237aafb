"""What a person sees and types: the `p2pgame` command and its console."""
