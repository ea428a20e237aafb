"""Full-screen views built on prompt_toolkit."""
