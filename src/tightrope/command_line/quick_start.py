"""A quick start of the command: methods of dataclasses are compiled when they are called first, and the collector of
cyclic garbage comes rarely.

A command imports some 400 dataclasses. Python 3.11 and 3.12 compile the text of five methods for each of them, one by
one: a quarter of the time of a small function, for methods of which most are never called. Python 3.13 compiles those
of a class together, and is left alone. Only the command does this, before it imports the rest of Tightrope: a program
that imports Tightrope finds the module `dataclasses` unchanged.

Nearly all that a command creates in its first second it needs to the end: modules, types, the code. By default, Python
looks through all of it a dozen times, and twice at the end: 0.1 s of processor time.
"""

from __future__ import annotations

import atexit
import dataclasses
import gc
import sys
from collections.abc import Callable
from typing import Any

Method = Callable[..., Any]
MOST_YOUNG = 150_000  # objects without a collection; by default 700. A small function takes 120,000
MOST_COLLECTIONS = 1  # of young objects before older ones are looked at: all of them after 600,000, by default 70,000


def collect_rarely() -> None:
    """From here on, in this process. When it ends, nothing is collected: all its memory is given back in any case."""
    gc.set_threshold(MOST_YOUNG, MOST_COLLECTIONS, MOST_COLLECTIONS)
    atexit.register(gc.freeze)


def compile_methods_late() -> None:
    """From here on, in this process."""
    create = getattr(dataclasses, "_create_fn", None)
    if create is not None and sys.version_info < (3, 13) and not hasattr(create, "creates_late"):
        vars(dataclasses)["_create_fn"] = make_late(create)


def make_late(create: Method) -> Method:
    """The function that makes a method from its text, but at the first call: the method then takes the place of the one
    that was called. `create`: the function of `dataclasses`, with the name of the method first."""

    def create_late(name: str, *text: Any, **context: Any) -> Method:
        made: list[Method] = []

        def method(*given: Any, **named: Any) -> Any:
            if not made:
                made.append(create(name, *text, **context))
                made[0].__qualname__ = method.__qualname__
                _replace(type(given[0]), name, method, made[0])
            return made[0](*given, **named)

        method.__name__ = name
        return method

    vars(create_late)["creates_late"] = True
    return create_late


def _replace(cls: type, name: str, method: Method, by: Method) -> None:
    for each in cls.__mro__:
        if vars(each).get(name) is method:
            setattr(each, name, by)
