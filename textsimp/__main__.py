"""``python -m textsimp``."""

from textsimp.cli import main

if __name__ == "__main__":
    main(prog_name="textsimp")
