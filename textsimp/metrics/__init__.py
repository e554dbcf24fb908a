"""The metrics, each in the file of its name."""
