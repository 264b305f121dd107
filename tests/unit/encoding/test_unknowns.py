"""Unconstrained values of encodings in one table."""

from types import SimpleNamespace

from tightrope.encoding.encoding import EncodingLimits
from tightrope.encoding.values import EncodingTable
from tightrope.encoding.walk import UnitWalk


def _walk(table: EncodingTable) -> UnitWalk:
    subject = SimpleNamespace(widths=(8, 8, 8))
    return UnitWalk(subject, EncodingLimits(4, 100, 1.0, 4, 4), lambda *_: None, table=table)


def test_two_encodings_in_a_table_never_share_an_unconstrained_value():
    """Bytes of the old version that nothing wrote are made when they are compared, after the new one was encoded. They had
    the numbers of the new one's values, and so were equal to them."""
    table = EncodingTable()
    old, new = _walk(table), _walk(table)
    made = [walk.anything(8) for walk in (old, new, old, new, new, old)]
    assert len(set(made)) == len(made)
    assert [each.support for each in made] == [1 << slot for slot in range(3, 9)]
