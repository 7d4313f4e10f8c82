"""When changes have come to rest, for any changes at any times."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragspine_tui.settling import Settling

QUIET, LONGEST = 5, 50
times = st.lists(st.integers(0, 200), min_size=1, max_size=60).map(sorted)


def told_at(changes: list[int]) -> list[int]:
    """When a name with changes at these times is told, looked at each moment."""
    settling = Settling(QUIET, LONGEST)
    told = []
    for now in range(changes[-1] + LONGEST + 1):
        for _ in range(changes.count(now)):
            settling.note("lib", now)
        told += [now] * len(settling.due(now))
    return told


@given(times)
def test_every_change_is_told_after_it_happened_and_within_the_longest_time(changes: list[int]) -> None:
    told = told_at(changes)
    assert all(any(0 <= at - change <= LONGEST for at in told) for change in changes)


@given(times)
def test_nothing_is_told_without_a_change_and_none_is_told_while_it_goes_on(changes: list[int]) -> None:
    for begun, at in zip([-1, *told_at(changes)], told_at(changes), strict=False):
        new = [change for change in changes if begun < change <= at]
        assert new
        assert at - new[-1] >= QUIET or at - new[0] >= LONGEST


@given(times, st.integers(0, 120))
def test_what_rests_is_told_once_the_rest_is_over_and_no_sooner(changes: list[int], until: int) -> None:
    settling = Settling(QUIET, LONGEST)
    settling.rest("lib", until)
    told = []
    for now in range(changes[-1] + until + LONGEST + 1):
        for _ in range(changes.count(now)):
            settling.note("lib", now)
        told += [now] * len(settling.due(now))
    assert told[0] >= until
    assert all(any(0 <= at - change <= max(LONGEST, until) for at in told) for change in changes)


def test_names_settle_each_for_itself() -> None:
    settling = Settling(QUIET, LONGEST)
    settling.note("calm", 0)
    for now in range(LONGEST):
        settling.note("busy", now)
        assert settling.due(now) == (("calm",) if now == QUIET else ())
    assert settling.due(LONGEST) == ("busy",)
