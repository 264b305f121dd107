"""The fuzzing baseline: libFuzzer, as clang has it. Its corpus are the tests; what crashes is one too."""

from __future__ import annotations

from pathlib import Path

from bench.mcdc.runners.byte_inputs import CLANG, HERE, LINK, build_printer, compile_harness, need_clang, print_inputs
from bench.mcdc.runners.contract import FoundTests, NotInstalledError, call, own_processor_time, run_as_command, watch
from bench.mcdc.subjects import FunctionUnderTest

# what was found once stays: a smaller input for the same does not replace it, so that its moment is known
WORDS = (
    "-seed=1",
    "-timeout=1",
    "-len_control=0",
    "-rss_limit_mb=2048",
    "-reduce_inputs=0",
    "-verbosity=0",
    "-artifact_prefix=crashes/",
)


def find(subject: FunctionUnderTest, seconds: float, folder: Path) -> FoundTests:
    need_clang()
    if not _has_fuzzer(folder):
        raise NotInstalledError(f"{CLANG} has no libFuzzer (Debian: libclang-rt-19-dev)")
    printer = build_printer(subject, folder / "printer")
    largest = call([str(printer), "--size"], folder, 20).strip()
    start = own_processor_time()
    # -O0: conditions stay branches of their own, and a call whose result is not used stays
    harness_object = compile_harness(subject, folder, "-O0", "-fsanitize=fuzzer-no-link")
    source = str(HERE / "byte_inputs.c")
    call([CLANG, "-O1", "-w", "-DFUZZER", "-c", source, "-o", "main.o"], folder, 60)
    call([CLANG, "-fsanitize=fuzzer", "main.o", harness_object, *LINK, "-o", "fuzz"], folder, 60)
    for name in ("corpus", "crashes"):
        (folder / name).mkdir()
    (folder / "corpus" / "zeros").write_bytes(bytes(int(largest)))  # it does not write its own first input
    starts, found = 0, dict[Path, float]()
    while (left := seconds - (own_processor_time() - start)) > 0.1:  # it ends at each crash
        spent = own_processor_time() - start
        starts += 1
        words = ["./fuzz", "corpus", *WORDS, f"-seed={starts}", f"-max_len={largest}"]
        watched = watch(words, folder, left, may_fail=True, news=folder / "corpus")
        new = [file for name in ("corpus", "crashes") for file in (folder / name).iterdir() if file not in found]
        found |= {file: spent + watched.processor_at(file.stat().st_mtime) for file in new}
        if watched.was_stopped:
            break
    files = sorted(found, key=lambda file: (found[file], file.name))
    inputs = print_inputs(printer, files)
    tests = [{"seconds": round(found[file], 3), "inputs": each} for file, each in zip(files, inputs, strict=True)]
    return FoundTests("libFuzzer of clang 19", tests, is_anytime=True)


def _has_fuzzer(folder: Path) -> bool:
    (folder / "empty.c").write_text("int LLVMFuzzerTestOneInput(const char *data, unsigned long size) { return 0; }\n")
    call([CLANG, "-fsanitize=fuzzer", "empty.c", "-o", "empty"], folder, 60, may_fail=True)
    return (folder / "empty").exists()


if __name__ == "__main__":
    run_as_command(find)
