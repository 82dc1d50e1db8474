"""The memory of this process. Nothing is imported here that would take any."""

from __future__ import annotations

import contextlib
import resource
import sys


def peak_mb() -> float:
    """The most memory that this process has had, in megabytes."""
    if sys.platform == "linux":  # there getrusage also counts what the parent had when it started this process
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000_000


def resident_mb() -> float:
    """The memory that this process has now, in megabytes; where only the peak can be asked for, that."""
    if sys.platform == "linux":
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) / 1000 for line in status if line.startswith("VmRSS:"))
    return peak_mb()


def forget_peak() -> float:
    """Let the peak begin again from the memory of now, where the system can; gives the peak that counts from here."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")
    return peak_mb()
