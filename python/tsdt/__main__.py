"""`python -m tsdt` is the command `tsdt`."""

from __future__ import annotations

import sys

from tsdt.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
