"""Registers: accesses to constant addresses in written tests, which run them as they are."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tightrope import cli

UNIT = """
#include <stdint.h>

typedef struct {
    volatile uint32_t CR, SR, DR;
    volatile uint16_t BRR[2];
} USART_TypeDef;
typedef struct {
    volatile uint32_t MODER;
    volatile uint32_t ODR;
} GPIO_TypeDef;

#define PERIPHERALS (0x40000000UL)
#define USART1 ((USART_TypeDef *)(PERIPHERALS + 0x11000))
#define GPIOA ((GPIO_TypeDef *)(PERIPHERALS | (1UL << 17)))
#define LED GPIOA->ODR
#define WATCHDOG ((volatile uint8_t *)0x40003001)
#define PORTB (*(volatile uint8_t *)(0x05 + 0x20))

int send(uint8_t byte)
{
    USART1->BRR[1] = 0x1a;
    USART1->CR |= 0x2008;
    while (!(USART1->SR & 0x80))
        *WATCHDOG = 0xaa;
    USART1->DR = byte;
    LED = byte > 10;
    *(volatile uint8_t *)0x40020100 = 1;
    if (*(volatile int32_t *)0x40020104 < -5)
        return -1;
    return 0;
}

uint8_t low(uint8_t mask)
{
    PORTB = mask;
    if ((PORTB & mask) == 3)
        PORTB |= 4;
    return PORTB;
}

#define SPI ((volatile uint32_t *)0x4001300c)
int widths(void)
{
    *(volatile uint8_t *)SPI = 0x7f;
    if (*SPI == 0x12345678)
        return *(volatile uint8_t *)SPI > 3;
    return -1;
}

float real(float x)
{
    if (*(volatile float *)0x40020200 > x)
        *(volatile float *)0x40020200 = 1.5f;
    return x;
}
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the unit, the tests of its functions and the report; generated once."""
    folder = tmp_path_factory.mktemp("registers")
    (folder / "unit.c").write_text(UNIT)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        words = ("-c", "branch", "-o", "tests", "--json", "report.json", "--quiet", "--max-runs", "100")
        assert cli.main(["generate", "unit.c", *words]) == 0
    return folder


@pytest.fixture
def folder(generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(generated, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_unit(function: str) -> dict[str, Any]:
    units = json.loads(Path("report.json").read_text())["units"]
    return next(dict(unit) for unit in units if unit["function"] == function)


def run_suite(file: str, *flags: str) -> subprocess.CompletedProcess[str]:
    build = ["gcc", "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Wno-array-bounds", *flags, "-o", "program", file]
    try:
        built = subprocess.run(build, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("needs gcc")
    assert (built.returncode, built.stderr) == (0, "")
    return subprocess.run([Path("program").resolve()], capture_output=True, text=True, check=False)


def verdicts(unit: dict[str, Any]) -> set[str]:
    return {each["verdict"] for each in unit["objectives"]}


@pytest.mark.parametrize(("function", "flags"), [("send", "-O0"), ("send", "-O2"), ("low", "-O0"), ("low", "-O2")])
def test_tests_of_registers_compile_without_warnings_and_pass(folder: Path, function: str, flags: str) -> None:
    unit = read_unit(function)
    assert verdicts(unit) == {"covered"}
    assert unit["confirmation"]["same"] == len(unit["tests"])
    shown = run_suite(f"tests/test_unit_{function}.c", flags)
    assert shown.returncode == 0, shown.stdout
    assert "SKIP" not in shown.stdout


def test_writes_are_shown_in_their_order_by_the_names_of_the_c(folder: Path) -> None:
    text = Path("tests/test_unit_send.c").read_text()
    calls = text.partition("EXPECT_CALLS(\n")[2].partition(");")[0]
    names = [line.strip().strip('"').partition(" = ")[0] for line in calls.splitlines()]
    assert [name for name in dict.fromkeys(names) if name != "*WATCHDOG"] == [
        "USART1->BRR[1]", "USART1->CR", "USART1->DR", "LED", "0x40020100",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    USART1->DR = byte;\n    LED = byte > 10;", "    LED = byte > 10;\n    USART1->DR = byte;"),
        ("    USART1->DR = byte;\n", ""),
        ("USART1->BRR[1] = 0x1a", "USART1->BRR[0] = 0x1a"),
        ("LED = byte > 10;", "LED = byte > 10; LED = byte > 10;"),
        ("|= 0x2008", "|= 0x200c"),
    ],
    ids=["swapped", "dropped", "another register", "twice", "another value"],
)
def test_tests_notice_another_write(folder: Path, old: str, new: str) -> None:
    assert old in UNIT
    (folder / "unit.c").write_text(UNIT.replace(old, new))
    shown = run_suite("tests/test_unit_send.c")
    assert shown.returncode == 1
    assert "not ok" in shown.stdout


def test_accesses_of_several_widths_at_one_address_are_told_apart(folder: Path) -> None:
    unit = read_unit("widths")
    assert verdicts(unit) == {"covered"}
    assert run_suite("tests/test_unit_widths.c", "-fno-strict-aliasing").returncode == 0


def test_a_register_can_hold_a_float(folder: Path) -> None:
    unit = read_unit("real")
    assert verdicts(unit) == {"covered"}
    assert run_suite("tests/test_unit_real.c").returncode == 0


def test_a_test_without_registers_says_so(folder: Path) -> None:
    file = Path("tests/test_unit_send.c")
    file.write_text(file.read_text().replace("defined(__x86_64__)", "0"))
    shown = run_suite(str(file), "-Wno-unused-function", "-Wno-unused-const-variable")
    assert (shown.returncode, shown.stdout.split(" # ")[0]) == (0, "1..0")


def test_inputs_names_registers_as_the_c_does(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["inputs", "unit.c:send"]) == 0
    words = [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert words == [
        "byte", "USART1->CR#_", "USART1->SR#_", "0x40020104#_",
        "*WATCHDOG", "USART1->CR", "USART1->DR", "USART1->BRR[1]", "LED", "0x40020100",
    ]  # fmt: skip
