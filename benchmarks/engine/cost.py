"""Whether what a query costs grows with the postings of its terms, and no faster."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Fit(NamedTuple):
    """seconds = `base` + `each` * postings, explaining `r2` of the variance; and seconds ~ postings ** `exponent`."""

    base: float
    each: float
    r2: float
    exponent: float


def fitted(postings: Sequence[int], seconds: Sequence[float]) -> Fit:
    """By least squares: the line over the figures, the exponent over their logarithms."""
    each, base = np.polyfit(postings, seconds, 1).tolist()
    left = np.asarray(seconds) - (base + each * np.asarray(postings))
    spread = np.asarray(seconds) - np.mean(seconds)
    r2 = 1.0 - float(left @ left) / float(spread @ spread) if float(spread @ spread) else 1.0
    exponent = np.polyfit([math.log(one) for one in postings], [math.log(one) for one in seconds], 1).tolist()[0]
    return Fit(base, each, r2, exponent)
