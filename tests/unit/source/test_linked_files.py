"""Which file seems to define a function: a search in texts."""

from pathlib import Path

import pytest

from tightrope.source.linked_files import defined_names, find_definers


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("int f(int a) { return g(a); }", {"f"}),
        ("static const struct s *\nf (a, b)\n     int a;\n     char *b;\n{\n  if (a) { g (b); }\n}\n", {"f"}),
        ("int f(int a);\nextern int g(void);\n", set()),
        ("int f(int (*callback)(int, void *), void *data)\n{\n}\n", {"f"}),
        ("/* int g(void) { } */ // int h(void) {\nvoid *f(void)\n{ }", {"f"}),
        ("int f(void) __attribute__((noinline));\nint f(void) { return 1; }", {"f"}),
        ("const int table[] = { 1, 2 };\nint *p = &table[0];\nint count;\nint array[N + 1];", {"table", "p", "array"}),
        (
            "extern int away[3];\nextern int more = 3;\n  int local = 1;\nif (x == 3) y = 2;\ntypedef int five[5];",
            set(),
        ),
        (
            "#ifdef X\nvoid f (int a)\n#else\nint\nf (int a, int b)\n#endif\n{\n}\n#define G(x) \\\n  { x }\nint g;",
            {"f"},
        ),
        ("struct s *const names[3][2] =\n{ 0 };\nunsigned char map[256] = {", {"names", "map"}),
        ("unsigned long long f(unsigned char *p) {\n  while (p) {\n  for (;;) {\n}}}", {"f"}),
    ],
)
def test_names_before_a_body(tmp_path: Path, text: str, names: set[str]):
    file = tmp_path / "x.c"
    file.write_text(text)
    assert defined_names(file) == names


def test_files_come_in_the_order_of_the_project(tmp_path: Path):
    one, other, last = (tmp_path / name for name in ("b.c", "a.c", "c.c"))
    one.write_text("int f(void) { return 1; }")
    other.write_text("int f(void) { return 2; }\nint g(void) { return 3; }")
    last.write_text("int h(void) { return 4; }")
    found = list(find_definers(["f", "g"], [one, other, last, tmp_path / "gone.c"]))
    assert found == [(one, ("f",)), (other, ("f", "g"))]
