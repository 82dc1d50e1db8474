"""The commands: each file has `run`, which takes the arguments and gives the exit code."""
