"""Jobs that nobody has begun, by groups: whoever has done one of a group is quick with the others (functions of a file,
which is read once)."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Collection, Hashable, Iterator, Sequence

Group = Hashable


class Waiting:
    """`groups[number]` is the group of the job with this number; without groups, all are of one."""

    def __init__(self, jobs: int, groups: Sequence[Group] = ()) -> None:
        self._groups = groups
        self._queues: OrderedDict[Group, deque[int]] = OrderedDict()
        for number in range(jobs):
            self._queues.setdefault(self.group(number), deque()).append(number)

    def __bool__(self) -> bool:
        return bool(self._queues)

    def __iter__(self) -> Iterator[int]:
        return (number for queue in self._queues.values() for number in queue)

    def group(self, number: int) -> Group:
        return self._groups[number] if self._groups else None

    def take(self, own: Group = None, taken: Collection[Group] = ()) -> int:
        """The next job: of the group that somebody has worked on, else of one that no other works on, else any."""
        free = next((each for each in self._queues if each not in taken), next(iter(self._queues)))
        group = own if own in self._queues else free
        number = self._queues[group].popleft()
        if not self._queues[group]:
            del self._queues[group]
        return number

    def put_back(self, number: int) -> None:
        """It comes first."""
        group = self.group(number)
        self._queues.setdefault(group, deque()).appendleft(number)
        self._queues.move_to_end(group, last=False)

    def clear(self) -> None:
        self._queues.clear()
