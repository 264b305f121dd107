"""How a candidate stands to what is still missing (paper 001, Algorithm 2)."""

from __future__ import annotations

from enum import Enum


class Relevance(Enum):
    """The value is the sentence shown."""

    MUST = "it hits something that is missing at once"
    MAY = "something that is missing lies behind it"
    IRRELEVANT = "nothing that is missing lies behind it"
