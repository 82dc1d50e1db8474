"""The engine in plain Python: the specification of the compiled one, and its stand-in where it cannot be built."""

from tsdt.reference.bins import bin_codes
from tsdt.reference.branches import BranchSearch
from tsdt.reference.trees import TreeSearch

__all__ = ["BranchSearch", "TreeSearch", "bin_codes"]
