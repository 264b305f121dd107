"""Chooses the shape of a function's inputs from their C types; `inputs/shape.py` defines the result.

Defaults need no configuration. A pointer leads to one object; to an array where the code, or a length beside the
pointer, suggests one; to a string if it is a `char *`. It may be NULL. Linked structures end after `depth` pointers.
Where a default excludes inputs that a caller could pass, the shape marks this place as a *bound*: a run that reaches it
proves nothing. Wishes of the user (`inputs/wishes.py`) take precedence over all defaults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from tightrope.inputs.hints import NO_HINTS, Hints, record_name
from tightrope.inputs.input_paths import is_word, member_path, read_path
from tightrope.inputs.length_ties import NOT_TIED
from tightrope.inputs.shape import (
    AS_INITIALISED,
    ASKED_FOR_NULL,
    BYTE,
    NULL,
    TOO_DEEP,
    FixedPointer,
    Functions,
    InputShape,
    PointsInto,
    PointsTo,
    Root,
    Shape,
    map_shape,
)
from tightrope.inputs.shape_values import AS_IT_IS, NOBODY, RESULT_PATH, UNSEEN, NodeContext, ValueShapes
from tightrope.inputs.sizes import ONE, Size, choose_size, is_character
from tightrope.inputs.stub_answers import (
    answer_roots,
    choice_roots,
    counter_roots,
    describe_stubs,
    left_out_roots,
    written_type,
)
from tightrope.inputs.stub_arguments import argument_roots
from tightrope.inputs.stub_outputs import MOST_SLOTS_OF_CALL, MOST_WRITTEN_SLOTS, callee_of, choose_outputs, name_parts
from tightrope.inputs.type_facts import (
    cast_to,
    find_record,
    first_member,
    flexible_member,
    is_only_declared,
    is_restrict,
    members_of,
    members_of_type,
    number_before_pointer,
    place_behind,
    pointer_like,
    used_as,
    why_null,
)
from tightrope.inputs.wishes import NO_GROWTH, Wish, Wishes
from tightrope.program.declarations.c_types import (
    CFunctionType,
    CPointer,
    CRecord,
    CTypes,
    CVoid,
    TypeId,
)
from tightrope.program.declarations.interface import Interface, InterfaceGlobal, InterfaceParameter
from tightrope.program.declarations.stubs import Stub, Written, stub_for_signature
from tightrope.program.pointers.pointer_use import Use

MANY_SLOTS = 1024  # a shape with more is built again, less deep
MANY_GROWN_SLOTS = 1536  # ... after it has grown where runs need it
MOST_ANSWER_SLOTS = 256  # of one stub
MANY_STUBS = 32  # which get one answer each, where there would be too many slots
MOST_MATCHED = 3  # further targets of a pointer that is compared with others
MOST_VARIANTS = 2  # further types of what a pointer leads to
MOST_BEHIND = 4  # records, with the one that the code finds before the pointer


def choose_shape(
    ctypes: CTypes, interface: Interface, wishes: Wishes | None = None, hints: Hints = NO_HINTS
) -> InputShape:
    """The shape of all inputs of the function, and of its result."""
    wishes = wishes or Wishes()
    for_texts = _for_texts(wishes, hints)
    builder = _build_all(ctypes, interface, for_texts, hints)
    if builder.slots - builder.written_slots > MANY_SLOTS and builder.wishes != wishes:
        builder = _build_all(ctypes, interface, wishes, hints)
        if builder.slots - builder.written_slots > MANY_SLOTS:  # then rather fewer inputs than shorter texts
            lean = _build_all(ctypes, interface, for_texts, hints.lean, is_lean=True)
            fits = lean.slots - lean.written_slots <= MANY_SLOTS
            builder, hints = (lean, hints.lean) if fits else (builder, hints)
    wishes = builder.wishes
    if wishes.growth and builder.slots - builder.written_slots > MANY_GROWN_SLOTS:
        ungrown = replace(wishes, growth=NO_GROWTH)
        builder = _build_all(ctypes, interface, ungrown, hints)
        if builder.slots - builder.written_slots > MANY_SLOTS:  # it was lean before it grew
            hints = hints.lean
            builder = _build_all(ctypes, interface, wishes, hints, is_lean=True)
            if builder.slots - builder.written_slots > MANY_GROWN_SLOTS:
                builder = _build_all(ctypes, interface, ungrown, hints, is_lean=True)
        wishes = builder.wishes
    most = MANY_GROWN_SLOTS if wishes.growth else MANY_SLOTS
    if builder.slots - builder.written_slots > most:
        hints = hints.lean
        builder = _build_all(ctypes, interface, wishes, hints, is_lean=True)
    while builder.slots - builder.written_slots > most and builder.wishes.depth > 1:
        wishes = replace(wishes, depth=builder.wishes.depth - 1)
        builder = _build_all(ctypes, interface, wishes, hints, is_lean=True)
    result = None
    if not isinstance(ctypes.strip(interface.result), CVoid):
        result = _Builder(ctypes, wishes, hints).build(interface.result, RESULT_PATH, NodeContext(is_result=True))
    every = (*builder.roots, *builder.hidden)
    roots = tuple(replace(root, shape=map_shape(root.shape, builder.limited)) for root in every)
    written = builder.written_slots
    return InputShape(roots, result, tuple(builder.notes), tuple(builder.stubs), written_slots=written)


def _for_texts(wishes: Wishes, hints: Hints) -> Wishes:
    """With strings that can hold every text that the code compares with, if nobody asked for a length."""
    if "string_length" in wishes.asked or hints.longest_text <= wishes.string_length:
        return wishes
    return replace(wishes, string_length=hints.longest_text)


def _build_all(ctypes: CTypes, interface: Interface, wishes: Wishes, hints: Hints, is_lean: bool = False) -> _Builder:
    builder = _Builder(ctypes, wishes, hints, is_lean=is_lean)
    builder.add_parameters(interface.parameters)
    for one in interface.globals:
        builder.add_global(one)
    known = {stub.name for stub in interface.stubs} | {loose.name for loose in interface.reached_loose}
    for missing in interface.reached_missing:
        if missing.name not in known:
            builder.note(f"{missing.name}(): no definition found, so calls do nothing and return zero")
    for loose in interface.reached_loose:
        verb = "returns" if loose.answer else "is"
        builder.note(f"{loose.name}: defined in a file that is not linked, so it {verb} zero")
    builder.add_stubs(interface)
    return builder


@dataclass(slots=True)
class _Builder(ValueShapes):
    """The roots, and what pointers lead to."""

    is_lean: bool = False  # a stub among many has one answer, until a run needs more
    written_slots: int = 0  # for what stubs write although nobody asked for it
    hidden: list[Root] = field(default_factory=list)  # further targets of pointers
    enclosing: list[tuple[str, TypeId]] = field(default_factory=list)  # objects that are being built: name, type
    tried: dict[tuple[TypeId, bool, bool, bool], tuple[Shape, int]] = field(default_factory=dict)  # see `_try_written`

    # -- roots

    def add_parameters(self, parameters: Sequence[InterfaceParameter]) -> None:
        ties = self._tied([(one.name, one.type, ("parameter", at)) for at, one in enumerate(parameters)], "")
        contexts: list[tuple[InterfaceParameter, NodeContext]] = []
        for index, one in enumerate(parameters):
            context = NodeContext(
                declared_count=one.count,
                devices=one.devices,
                holder=("parameter", index),
                tie=ties.get(one.name, NOT_TIED),
                is_parameter=True,
            )
            contexts.append((one, context))
        leading = sorted(contexts, key=lambda row: bool(self._leads_elsewhere(row[0].name, row[1])))  # others first
        built = {one.name: Root(one.name, self.build(one.type, one.name, context)) for one, context in leading}
        self.roots += [built[one.name] for one in parameters]

    def _leads_elsewhere(self, path: str, context: NodeContext) -> str:
        """The path of the pointer whose object this one shares, because of a wish or of its name."""
        wish = self.wish(path)
        return wish.into or wish.same_as or ("" if wish.kind else context.tie.start)

    def add_global(self, one: InterfaceGlobal) -> None:
        context = NodeContext(
            keeps_pointers=one.holds_addresses, is_frozen=one.is_constant, holder=("global", one.ir_name)
        )
        shape, is_constant = self.build(one.type, one.name, context), bool(one.storage)
        self.roots.append(Root(one.storage or one.name, shape, is_global=True, is_constant=is_constant))

    def add_stubs(self, interface: Interface) -> None:
        """Comes after all other roots, because function pointers among the inputs add stubs too."""
        known = [*interface.stubs, *(interface.stub_options.for_callback(stub) for stub in self.stubs)]
        self.stubs = [replace(stub, keeps_arguments=interface.keeps_arguments) for stub in known]
        self.stubs = [self._add_stub(stub) for stub in self.stubs]
        for note in describe_stubs(self.ctypes, self.stubs):
            self.note(note)

    def _add_stub(self, stub: Stub) -> Stub:
        """Add the answers of a stub. It gets fewer of them if they are large structures."""
        stub = replace(stub, writes=(*stub.writes, *self._default_outputs(stub)))
        first = 1 if self._has_one_answer else stub.answers
        stub = replace(stub, answers=max(first, self.wishes.growth.answers.get(stub.path, 0)))
        holder, start = ("answer", callee_of(self.ctypes, stub)), self.slots

        def answer(number: TypeId, path: str) -> Shape:
            return self._element(number, path, NodeContext(holder=holder))

        for call in range(stub.answers):
            if call and (self.slots - start) * (call + 1) > MOST_ANSWER_SLOTS * call:
                stub = replace(stub, answers=call)
                break
            self.roots.extend(answer_roots(self.ctypes, stub, call, answer, self._written, self._next_slot))
        self.roots.extend(choice_roots(stub, self._next_slot))
        self.roots.extend((*counter_roots(stub), *left_out_roots(stub), *argument_roots(self.ctypes, stub)))
        return stub

    @property
    def _has_one_answer(self) -> bool:
        return self.is_lean and len(self.stubs) > MANY_STUBS and "answers" not in self.wishes.asked

    def _default_outputs(self, stub: Stub) -> Iterator[Written]:
        """What the stub writes although nobody asked for it, as far as that takes few slots."""
        for one in choose_outputs(self.ctypes, stub, self.hints.handed):
            for chosen in (one, replace(one, is_flat=True)):
                element, cost = self._try_written(chosen, written_type(self.ctypes, stub, chosen))
                named, slots = name_parts(chosen, element), cost * chosen.inputs
                all_calls = (slots + chosen.may_leave) * stub.answers
                if named and slots <= MOST_SLOTS_OF_CALL and self.written_slots + all_calls <= MOST_WRITTEN_SLOTS:
                    self.written_slots += all_calls
                    yield named
                    break

    def _try_written(self, one: Written, number: TypeId) -> tuple[Shape, int]:
        """The shape of an element that a stub writes, and its slots. Many stubs write the same records."""
        key = (number, one.is_default, one.may_leave and not one.is_local, one.is_flat)
        if key not in self.tried:
            trial = type(self)(self.ctypes, self.wishes, self.hints)
            self.tried[key] = trial._written(one, number, "argument"), trial.slots
        return self.tried[key]

    def _written(self, one: Written, number: TypeId, path: str) -> Shape:
        """An element that a stub writes. In a record that others see, too, pointers stay as they are."""
        if not one.is_default:
            return self._element(number, path, NodeContext())
        is_record = number != BYTE and isinstance(self.ctypes.strip(number), CRecord)
        depth, keeps = 1 if one.is_flat else 2, is_record and one.may_leave and not one.is_local
        return self._element(number, path, NodeContext(depth=1, most_depth=depth, keeps_pointers=keeps))

    # -- pointers

    def _pointer(self, number: TypeId, kind: CPointer, path: str, context: NodeContext) -> Shape:
        wish = self.wish(path)
        if context.is_unseen:
            return FixedPointer(path, number, UNSEEN, is_null=False, is_bound=True)
        if wish.is_fixed and not context.is_result:
            return FixedPointer(path, number, AS_IT_IS, is_null=context.is_parameter)
        if context.is_result or (context.keeps_pointers and not wish):
            is_bound = not context.is_result  # other code may have changed the global
            return FixedPointer(path, number, AS_INITIALISED, is_null=False, is_bound=is_bound)
        if context.is_frozen:
            self.note(f"{path}: const and defined in another file, so it stays NULL")
            return FixedPointer(path, number, "const and defined in another file", is_null=False, is_bound=True)
        if wish.null == "null":
            return FixedPointer(path, number, ASKED_FOR_NULL, is_constant=context.is_constant)
        if isinstance(self.ctypes.strip(kind.target), CFunctionType):
            return self._functions(number, kind.target, path, context, wish)
        if is_only_declared(self.ctypes, kind.target) and wish.kind != "bytes":
            return self._opaque(number, path, context, wish)
        reason = why_null(self.ctypes, kind)
        if reason:
            self.note(f"{path}: NULL, {reason}")
            is_bound = not context.is_parameter  # the driver itself reads those
            return FixedPointer(path, number, reason, is_constant=context.is_constant, is_bound=is_bound)
        wants_object = bool(wish.kind) or wish.null == "not-null"  # a wish for exactly this path
        if context.depth >= self._most_depth(path, context, wish) and not wants_object:
            return FixedPointer(path, number, TOO_DEEP, is_constant=context.is_constant, is_bound=True)
        return self._inner_pointer(number, path, context, wish) or self._points_to(number, kind, path, context, wish)

    def _most_depth(self, path: str, context: NodeContext, wish: Wish) -> int:
        if wish.depth is not None:
            return context.depth + wish.depth
        return self.wishes.depth_of(path) if context.most_depth is None else context.most_depth

    def _inner_pointer(self, number: TypeId, path: str, context: NodeContext, wish: Wish) -> Shape | None:
        """A pointer into the object of another one, because of a wish or because it is named like an end."""
        start = self._leads_elsewhere(path, context)
        owner = self.built.get(read_path(start)) if start else None
        if owner is None:
            return None
        slot = None if wish.same_as else self._next_slot()
        is_constant, count = context.is_constant, owner.count
        return PointsInto(
            path, number, owner.object, count, slot, is_constant, owner.slot, owner.others, owner.is_bounded
        )  # fmt: skip

    def _points_to(self, number: TypeId, kind: CPointer, path: str, context: NodeContext, wish: Wish) -> Shape:
        is_void = isinstance(self.ctypes.strip(kind.target), CVoid)
        is_cast = wish.kind == "bytes" and not is_void
        use = self.hints.use(context.holder)
        if is_void and use.records and not (use.is_indexed or wish.kind or wish.length):
            context = replace(context, tie=NOT_TIED)  # `void *data; size_t data_size;`: one record, of that size
        has_length = bool(wish.length or context.tie.length)
        target = BYTE if is_void or is_cast else kind.target
        variants: list[TypeId] = []
        if is_void and wish.kind not in ("bytes", "string") and not has_length:
            target, *variants = self._used_as(use, context)
        elif not wish.kind and not has_length:
            variants = list(cast_to(self.ctypes, target, use))[:MOST_VARIANTS]
        container = self._container(kind.target, use, path) if not (wish.kind or wish.length) else None
        if container is not None:
            return self._points_into_record(number, path, context, wish, *container)
        use = replace(use, is_indexed=use.is_indexed or read_path(path) in self.entered)
        use = replace(use, least_bytes=0, least_count=1) if variants else use  # the largest of them asks for most
        size = choose_size(self.ctypes, target, self.wishes, wish, use, context.declared_count, has_length)
        first, size = size.count, size.grown(self.wishes.growth.elements_of(path))
        is_never_null = not wish.null and self.hints.is_never_null(context.holder)
        may_be_null = not (wish.null == "not-null" or is_never_null)
        slot = self._next_slot() if may_be_null or context.devices else None
        flexible = flexible_member(self.ctypes, target) if size.count == 1 else ""
        room = self._room(member_path(f"*{path}", flexible)) if flexible else 0
        name, below = self._object_name(path), replace(context.behind_pointer(), most_depth=self._below(context, wish))
        below = replace(below, room=room)
        matched = tuple(self._matched(number, target, path, context, use, size.count)) if may_be_null else ()
        matched += tuple(self._inside_others(number, target, path, context, use)) if may_be_null else ()
        if size.count > 1:
            elements = self._elements(target, size.filled, path, below)
        else:
            elements = (self._inside_object(name, target, f"*{path}", below),)
        length = self._tie(context, wish, size)
        if may_be_null and (target == BYTE or is_character(self.ctypes, target)):
            places = [at for at in (1, 2, 4, 8) if at & use.low_bits and at < size.count]
            matched += tuple(f"{name}[{at}]" for at in places)  # not aligned as the start of the object is
        shared = (NULL, *self._shared(number, target, first, context), *matched) if may_be_null else ()
        others = (*dict.fromkeys(shared), *(f"0x{address:x}" for address in context.devices))
        is_one = may_be_null and size.count == 1
        names = tuple(self._variant(number, path, each, below) for each in variants) if is_one else ()
        node = PointsTo(
            path, number, name, target, size.count, elements, context.is_constant,
            slot, (*others, *names), size.is_string, size.is_bounded, length=length,
            flexible=flexible, room=room, is_cast=is_cast, is_never_null=is_never_null, is_needed=size.is_needed,
            variants=names,
        )  # fmt: skip
        self.built[read_path(path)] = node
        self.held.setdefault(context.holder, []).append(node)
        if context.depth == 0:
            self.top.append(node)
            self.first_counts[name] = first
        return node

    def _room(self, path: str) -> int:
        return self.wish(path).count or max(self.wishes.array_length, self.wishes.growth.elements_of(path))

    def _used_as(self, use: Use, context: NodeContext) -> tuple[TypeId, ...]:
        """What a `void *` leads to, by what the code casts it to: one of several records, a number, pointers, or
        bytes."""
        records = [find_record(self.ctypes, name) for name in sorted(use.records)]
        number = number_before_pointer(self.ctypes, use)
        known = tuple(each for each in (number, *records) if each is not None)[: 1 + MOST_VARIANTS]
        if len(known) > 1:
            return known
        inner = self.hints.use(("element", context.holder))
        pointer = pointer_like(self.ctypes, inner) if not use.records else None
        return (used_as(self.ctypes, use) if pointer is None else pointer,)

    def _variant(self, number: TypeId, path: str, target: TypeId, context: NodeContext) -> str:
        """Another object that a pointer may lead to, of another type: its name."""
        own = f"{path}::{record_name(self.ctypes, target)}" if is_word(path) else path
        name = self._object_name(own)
        elements = (self._inside_object(name, target, f"*{own}", replace(context, holder=NOBODY)),)
        node = PointsTo(own, number, name, target, 1, elements, is_bounded=True)
        self.hidden.append(Root(f"tightrope_variant_{name}", node, is_global=True, is_hidden=True))
        return name

    def _inside_object(self, name: str, target: TypeId, path: str, context: NodeContext) -> Shape:
        """The content of an object, whose members may lead back to it."""
        self.enclosing.append((name, target))
        shape = self._element(target, path, context)
        self.enclosing.pop()
        return shape

    def _container(self, target: TypeId, use: Use, path: str) -> tuple[TypeId, str] | None:
        """The record that the code finds around what the pointer leads to, or right before it, and the place there:

        container_of(p, struct item, link)     .link
        (struct header *)p - 1                 .data[0] if that is its flexible array member, else [1]: behind it
        """
        for name, offset in sorted(use.containers, key=lambda one: (-one[1], one[0])) if is_word(path) else ():
            record = find_record(self.ctypes, name, offset + 1)
            places = members_of_type(self.ctypes, record, target) if record is not None else ()
            for place, at, _ in places:
                if at == offset and record is not None:
                    return record, place
            header = find_record(self.ctypes, name, offset)
            if header is None or (use.is_indexed and self.ctypes.strip(header) == self.ctypes.strip(target)):
                continue  # `p++ ... p[-1]` looks back
            place = place_behind(self.ctypes, header, target, offset)
            is_untyped = place.startswith("[") and isinstance(self.ctypes.strip(target), CVoid)
            is_other = is_untyped and (use.number_bytes or use.records - {name})  # the code says what is behind
            if place and not is_other:
                return header, place
        return None

    def _points_into_record(
        self, number: TypeId, path: str, context: NodeContext, wish: Wish, record: TypeId, place: str
    ) -> Shape:
        """A pointer to a member of a larger object, or to what follows a record."""
        use, name = self.hints.use(context.holder), record_name(self.ctypes, record)
        is_never_null = not wish.null and self.hints.is_never_null(context.holder)
        slot = None if wish.null == "not-null" or is_never_null else self._next_slot()
        own, below = self._object_name(path), replace(context.behind_pointer(), most_depth=self._below(context, wish))
        pointer = self.ctypes.strip(number)
        target = pointer.target if isinstance(pointer, CPointer) else record
        matched = tuple(self._matched(number, target, path, context, use, 1)) if slot is not None else ()
        inner = f"{path}::{name}"
        flexible = flexible_member(self.ctypes, record) if not place.startswith("[") else ""
        room = self._room(member_path(f"*{inner}", flexible)) if flexible else 0
        below = replace(below, holder=NOBODY, room=room)
        member = first_member(place)
        # what lies before the pointer may be read through it, byte by byte
        is_led_to = {member} if member and member != flexible else set(members_of(self.ctypes, record))
        self.led_to |= {(name, one) for one in is_led_to}
        several = Size(MOST_BEHIND, MOST_BEHIND, is_bounded=True).grown(self.wishes.growth.elements_of(inner))
        size = several if place.startswith("[") else ONE
        elements = self._elements(record, size.filled, inner, below) if size.count > 1 else ()
        elements = elements or (self._inside_object(own, record, f"*{inner}", below),)
        others = () if slot is None else (NULL, *matched)
        return PointsTo(
            path, number, own, record, size.count, elements, context.is_constant, slot, others,
            is_bounded=True, is_never_null=is_never_null, inside=place, flexible=flexible, room=room,
        )  # fmt: skip

    def _matched(
        self, number: TypeId, target: TypeId, path: str, context: NodeContext, use: Use, count: int
    ) -> Iterator[str]:
        """Where a pointer may lead, too, because the code compares it with other pointers: to an object around it, to
        a member of one, to what a parameter or a pointer beside it leads to."""
        if not use.is_matched or target == BYTE or is_restrict(self.ctypes, number):
            return
        key, found = self.types.key(target), dict[str, None]()
        least = count if read_path(path) in self.entered else 1
        for name, kind in reversed(self.enclosing):
            if self.types.key(kind) == key and count == 1:
                found[name] = None
            places = members_of_type(self.ctypes, kind, target)
            found |= dict.fromkeys(name + place for place, _, room in places if room >= least)
        near = sorted(self.built.items(), key=lambda row: len(row[0]))
        known = [one for _, one in near if one.target != BYTE and one.count == count]
        known = [one for one in known if context.depth or one not in self.top]  # the others are shared already
        found |= dict.fromkeys(one.own for one in known if not one.inside and self.types.key(one.target) == key)
        yield from list(found)[:MOST_MATCHED]
        if least == 1:
            yield from self._inside_members(target)

    def _inside_members(self, target: TypeId) -> Iterator[str]:
        """The last element and the second one of the innermost buffer around a pointer: where it turns round, and where
        it meets another one."""
        for name, kind in reversed(self.enclosing):
            for place, _, room in members_of_type(self.ctypes, kind, target):
                if room > 1:
                    yield from (f"{name}{place.removesuffix('[0]')}[{at}]" for at in dict.fromkeys((room - 1, 1)))
                    return

    def _inside_others(
        self, number: TypeId, target: TypeId, path: str, context: NodeContext, use: Use
    ) -> Iterator[str]:
        """Where a pointer may lead, too, because the code subtracts pointers from it, or it from others: into what they
        lead to. The distance of two objects is nobody's promise."""
        if is_restrict(self.ctypes, number):
            return
        key = None if target == BYTE else self.types.key(target)
        for holder, nodes in self.held.items():
            is_start = context.holder in self.hints.use(holder).starts
            if not (is_start or holder in use.starts):
                continue
            near = max(nodes, key=lambda node: _common(node.path, path))
            own = None if near.target == BYTE else self.types.key(near.target)
            if own == key and near.own == near.object and not is_restrict(self.ctypes, near.type):
                yield near.object
                places = {1, near.count // 2, near.count - 1} if not is_start else set()
                yield from (f"{near.object}[{at}]" for at in sorted(places) if 0 < at < near.count)

    def _shared(self, number: TypeId, target: TypeId, count: int, context: NodeContext) -> Iterator[str]:
        """Objects of earlier parameters and globals to which this pointer may be an alias: those that had as many
        elements before they grew."""
        if context.depth == 0 and target != BYTE and not is_restrict(self.ctypes, number):
            alike = [one for one in self.top if self.first_counts[one.object] == count and one.target != BYTE]
            alike = [one for one in alike if not is_restrict(self.ctypes, one.type)]
            yield from [one.object for one in alike if self.types.key(one.target) == self.types.key(target)][:2]

    def _below(self, context: NodeContext, wish: Wish) -> int | None:
        return context.depth + wish.depth if wish.depth is not None else context.most_depth

    def _tie(self, context: NodeContext, wish: Wish, size: Size) -> str:
        """The path of the length. Other lengths of the same pointer get the same upper limit."""
        known = () if wish.kind == "one" or context.tie.is_below else context.tie.lengths
        lengths = (wish.length, *known[1:]) if wish.length else known
        for length in lengths:
            key = read_path(length)
            self.limits[key] = min(size.filled, self.limits.get(key, size.filled))
            self.asked_limits |= {key} if wish.length or wish.kind else set()
        return lengths[0] if lengths else ""

    def _functions(self, number: TypeId, target: TypeId, path: str, context: NodeContext, wish: Wish) -> Shape:
        """A stub, which may return any value, a function of the program with that type, or NULL."""
        names = wish.functions or (() if wish.is_stub else self.hints.functions_like(target))
        stub = self._stub_for(target, path) if wish.is_stub or not wish.functions else ""
        every = (*([stub] if stub else []), *names, *([] if wish.null == "not-null" else [NULL]))
        if not names and not stub:
            self.note(f"{path}: NULL, because no function of the program has its type")
            is_bound, reason = not context.is_parameter, "no function of the program has its type"
            return FixedPointer(path, number, reason, is_constant=context.is_constant, is_bound=is_bound)
        slot = self._next_slot() if len(every) > 1 else None
        return Functions(path, number, every, slot, context.is_constant)

    def _stub_for(self, target: TypeId, path: str) -> str:
        """The name of a stub of this type; '' for a pointer in an answer of a stub, because stubs would never end."""
        stub = stub_for_signature(self.ctypes, target, path) if "#" not in path else None
        self.stubs += [stub] if stub else []
        return stub.name if stub else ""

    def _opaque(self, number: TypeId, path: str, context: NodeContext, wish: Wish) -> Shape:
        slot = None if wish.null == "not-null" else self._next_slot()
        name, others = self._object_name(path), () if slot is None else (NULL,)
        return PointsTo(
            path, number, name, BYTE, 8, (), context.is_constant, slot, others, is_bounded=True, is_opaque=True
        )

    def _object_name(self, path: str) -> str:
        """`cfg->table[2].name` -> `cfg_table_2_name`; two pointers never share one."""
        base = re.sub(r"\W+", "_", path.lstrip("*(")).strip("_") + "_value" * path.count("*")
        name, number = base, 1
        while name in self.objects:
            number += 1
            name = f"{base}_{number}"
        self.objects[name] = read_path(path)
        return name


def _common(one: str, other: str) -> int:
    """How many steps the paths of two inputs have in common."""
    pairs = zip(read_path(one), read_path(other), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
