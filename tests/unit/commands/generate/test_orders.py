"""Jobs as bytes, and what is sent only once."""

from __future__ import annotations

import random

import pytest

from tightrope.commands.generate.executors import cluster_worker
from tightrope.commands.generate.executors.cluster_worker import Answer, do_on_worker, end_command, identity
from tightrope.commands.generate.executors.executor import Shared
from tightrope.commands.generate.executors.orders import MOST_KEPT, KeptContents, pack, unpack


def test_what_jobs_share_is_not_in_the_order() -> None:
    large = "x" * 10_000
    order, shared = pack((len, (Shared("name", large), 3)))
    assert len(order.content) < 200 and order.names == ("name",) and shared == {"name": large}
    assert unpack(order, {"name": large}) == (len, (Shared("name", large), 3))


def test_two_that_hear_of_the_same_names_keep_the_same_contents() -> None:
    """The sender knows what the receiver has, and never leaves out what this one has forgotten."""
    sender, receiver, source = KeptContents(), KeptContents(), random.Random(3)
    for _ in range(500):
        names = tuple(source.sample([str(each) for each in range(3 * MOST_KEPT)], source.choice((0, 1, 1, 2))))
        new = {name: name.encode() for name in sender.lacks(names)}
        assert set(new) == set(receiver.lacks(names))
        sender.add(new, names)
        receiver.add(new, names)
        assert sender.contents == receiver.contents and len(receiver.contents) <= MOST_KEPT
        assert all(receiver.contents[name] == name.encode() for name in names)


def _measure(text: Shared) -> int:
    return len(text.value)


def test_a_worker_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    monkeypatch.setattr(cluster_worker, "_kept", KeptContents())
    order, shared = pack((_measure, (Shared("text", "four"),)))
    contents = {name: pickle.dumps(value) for name, value in shared.items()}
    try:
        assert do_on_worker("lacking", identity(), order, {}, (), "here").answer is Answer.LACKS
        for sent in (contents, {}):  # the second time, it is there
            reply = do_on_worker("lacking", identity(), order, sent, (), "here")
            assert reply.answer is Answer.DONE and pickle.loads(reply.content) == 4
        (keeper,) = cluster_worker._idle["lacking"]
        keeper.process.kill()
        keeper.process.join()  # the next process has nothing yet
        reply = do_on_worker("lacking", identity(), order, {}, (), "here")
        assert reply.answer is Answer.DONE and pickle.loads(reply.content) == 4
    finally:
        end_command("lacking")
