"""``python -m tesuji``: the same as ``tesuji``."""

from tesuji.cli import main

if __name__ == "__main__":
    main()
