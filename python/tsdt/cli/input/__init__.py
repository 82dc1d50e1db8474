"""From bytes to rows: files and pipes, read in blocks as they come, each row good or bad for a reason.

Nothing is learned here. A block is what could be read at once; how a stream is cut into blocks changes no row.
"""

from tsdt.cli.input.block import BadRow, Block
from tsdt.cli.input.kinds import Kinds
from tsdt.cli.input.opening import FORMATS, Reader, open_input

__all__ = ["FORMATS", "BadRow", "Block", "Kinds", "Reader", "open_input"]
