"""``python -m tesuji.cli``: the same as ``tesuji``."""

from tesuji.cli import main

if __name__ == "__main__":
    main()
