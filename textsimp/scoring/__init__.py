"""Compare systems, and explain printed scores."""
