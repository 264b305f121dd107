"""Line charts as SVG: axes, ticks, a legend, several series. Plain text, so that a result can be read and compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 70, 180, 40, 55  # margins; the legend is in the right one
COLOURS = ("#1b6ca8", "#d1495b", "#3a7d44", "#8e5ea2", "#e0a100", "#4d4d4d", "#00a6a6", "#b5651d", "#7a9e00", "#e377c2")
DASHES = ("", "7 3", "2 3", "9 3 2 3")  # so that series differ in print too
GRID, INK = "#dddddd", "#222222"
MOST_TICKS = 7

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    from_zero: bool = True  # the vertical axis starts at 0; otherwise a little below the lowest point
    is_logarithmic: bool = False  # the horizontal axis, whose points are all above 0


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values to places: `low` is at `start`, `high` at `end`. A logarithmic one has logarithms for both."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]
    is_logarithmic: bool = False

    def at(self, value: float) -> float:
        value = math.log10(value) if self.is_logarithmic else value
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def draw(chart: Chart) -> str:
    """The text of an SVG file."""
    across, up = _axes(chart)
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text((LEFT + WIDTH - RIGHT) / 2, 24, chart.title, "middle", ' font-size="15" font-weight="bold"'),
        *_grid(across, up),
        *_labels(chart),
    ]
    for number, series in enumerate(chart.series):
        lines += [_line(series, number, across, up), *_entry(series, number)]
    return "\n".join([*lines, "</svg>"]) + "\n"


def ticks_between(low: float, high: float) -> tuple[float, ...]:
    """Round numbers, a few of them, from at most `low` to at least `high`."""
    least = (high - low or abs(high) or 1.0) / (MOST_TICKS - 1)
    unit = 10.0 ** math.floor(math.log10(least))
    step = next(unit * times for times in (1, 2, 5, 10, 20) if unit * times >= least)
    first, last = math.floor(low / step), math.ceil(high / step)
    return tuple(round(number * step, 10) for number in range(first, max(last, first + 1) + 1))


def _axes(chart: Chart) -> tuple[Axis, Axis]:
    points = [point for series in chart.series for point in series.points] or [(0.0, 0.0)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    up = ticks_between(min(0.0, *ys) if chart.from_zero else min(ys), max(ys))
    return _across(xs, chart.is_logarithmic), Axis(up[0], up[-1], HEIGHT - BOTTOM, TOP, up)


def _across(xs: Sequence[float], is_logarithmic: bool) -> Axis:
    if is_logarithmic and max(xs) > min(xs) > 0:
        low, high = math.log10(min(xs)), math.log10(max(xs))
        decades = range(math.floor(low), math.ceil(high) + 1)
        numbers = (round(step * 10.0**decade, 10) for decade in decades for step in (1, 3))
        ticks = tuple(number for number in numbers if min(xs) <= number <= max(xs))
        return Axis(low, high, LEFT, WIDTH - RIGHT, ticks, is_logarithmic=True)
    ticks = ticks_between(min(0.0, *xs), max(xs))
    return Axis(ticks[0], max(xs) if max(xs) > ticks[0] else ticks[-1], LEFT, WIDTH - RIGHT, ticks)


def _grid(across: Axis, up: Axis) -> Iterator[str]:
    for tick in up.ticks:
        yield _rule(LEFT, up.at(tick), WIDTH - RIGHT, up.at(tick), GRID)
        yield _text(LEFT - 8, up.at(tick) + 4, _shown(tick), "end")
    for tick in across.ticks:
        if LEFT <= round(across.at(tick), 3) <= WIDTH - RIGHT:
            yield _rule(across.at(tick), HEIGHT - BOTTOM, across.at(tick), HEIGHT - BOTTOM + 5, INK)
            yield _text(across.at(tick), HEIGHT - BOTTOM + 19, _shown(tick), "middle")
    yield _rule(LEFT, TOP, LEFT, HEIGHT - BOTTOM, INK)
    yield _rule(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, INK)


def _labels(chart: Chart) -> Iterator[str]:
    yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, chart.x_label, "middle")
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield _text(18, middle, chart.y_label, "middle", f' transform="rotate(-90 18 {middle:g})"')


def _line(series: Series, number: int, across: Axis, up: Axis) -> str:
    places = " ".join(f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in series.points)
    return f'<polyline points="{places}" {_stroke(number)}/>'


def _entry(series: Series, number: int) -> Iterator[str]:
    """Of the legend."""
    x, y = WIDTH - RIGHT + 16, TOP + 14 + 20 * number
    yield f'<line x1="{x}" y1="{y}" x2="{x + 30}" y2="{y}" {_stroke(number)}/>'
    yield _text(x + 38, y + 4, series.name, "start")


def _stroke(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2"{dashed}'


def _rule(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, words: str, anchor: str, further: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}"{further}>{escape(words)}</text>'


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def line_series(name: str, heights: Sequence[float]) -> Series:
    """A curve whose first height is that of 1."""
    return Series(name, tuple((float(at), height) for at, height in enumerate(heights, 1)))
