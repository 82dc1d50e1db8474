"""The colours of the classes: safe for colour-blind eyes, on light and on dark ground. No view is drawn here."""

from __future__ import annotations

from bisect import bisect

# Okabe and Ito (2008), without black: every one can be told from the others with any kind of colour vision.
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")


def colours(n: int) -> list[str]:
    """One colour per class. Past the seventh the same hues come back in other shades.

    >>> colours(2)
    ['#0072B2', '#E69F00']
    >>> len(set(colours(40)))
    40
    """
    rounds = -(-n // len(OKABE_ITO))
    return [_shade(OKABE_ITO[i % len(OKABE_ITO)], i // len(OKABE_ITO), rounds) for i in range(n)]


def ink(colour: str) -> str:
    """Black or white, whichever reads better on the colour.

    >>> ink("#0072B2"), ink("#F0E442")
    ('#ffffff', '#000000')
    """
    light = luminance(colour) + 0.05
    return "#ffffff" if 1.05 / light > light / 0.05 else "#000000"


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it.

    >>> round(luminance("#ffffff"), 3), round(luminance("#000000"), 3)
    (1.0, 0.0)
    """
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _rgb(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def mix(colour: str, other: str, share: float) -> str:
    """The colour with a share of another one in it.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = [round(a + (b - a) * share) for a, b in zip(_rgb(colour), _rgb(other), strict=True)]
    return "#{:02X}{:02X}{:02X}".format(*parts)


def terminal_code(colour: str) -> int:
    """The nearest colour among the 6 x 6 x 6 that terminals share.

    >>> terminal_code("#0072B2")
    25
    """
    between = (48, 115, 155, 195, 235)  # halfway between the six levels 0, 95, 135, 175, 215 and 255
    red, green, blue = (bisect(between, v) for v in _rgb(colour))
    return 16 + 36 * red + 6 * green + blue


def _shade(colour: str, turn: int, rounds: int) -> str:
    if turn == 0:
        return colour
    step = ((turn + 1) // 2) / (rounds // 2)
    return mix(colour, "#000000", 0.45 * step) if turn % 2 else mix(colour, "#ffffff", 0.65 * step)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
