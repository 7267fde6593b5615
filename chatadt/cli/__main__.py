"""`python -m chatadt.cli` is the same as the command `chatadt`."""

from chatadt.cli import main

if __name__ == "__main__":
    main()
