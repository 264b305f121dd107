"""Source packages by name, from the Debian archive that this machine is already set up for.

apt is run with a configuration of its own: its own list of sources, made from the system's `deb` entries, and its own
folders for lists, cache and state. Nothing of the system's is changed, no package is installed, no root is needed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

SYSTEM = Path("/etc/apt")


class NotHere(Exception):
    """What this machine lacks, as a sentence for the user."""


class Archive:
    """Where sources come from. `folder` is ours alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.configuration = folder / "apt.conf"
        self.was_updated = False

    def fetch(self, package: str, version: str, into: Path) -> Path:
        """The unpacked source of the newest version that starts with `version`."""
        self._update()
        found = self._version(package, version)
        into.mkdir(parents=True, exist_ok=True)
        self._apt("source", "--download-only", f"{package}={found}", folder=into)
        (description,) = into.glob(f"{package}_*.dsc")
        unpacked = into / "source"
        if not unpacked.exists():
            _run(["dpkg-source", "--no-check", "--extract", description.name, "source"], into)
        return unpacked

    def _version(self, package: str, wanted: str) -> str:
        said = self._cache("showsrc", "--only-source", package)
        known = [line.split()[1] for line in said.splitlines() if line.startswith("Version: ")]
        fitting = [each for each in known if each.split(":")[-1].startswith(wanted)]
        if not fitting:
            raise NotHere(f"this archive has {package} {', '.join(known) or 'not at all'}; the list is for {wanted}")
        return fitting[0]

    def _update(self) -> None:
        if self.was_updated:
            return
        for tool in ("apt-get", "apt-cache", "dpkg-source"):
            if shutil.which(tool) is None:
                raise NotHere(f"{tool} is not on this machine: the sources come from a Debian archive, by apt")
        sources = "\n".join(source_entries(SYSTEM))
        if not sources:
            raise NotHere(f"no Debian archive is configured in {SYSTEM}")
        self._write_configuration(sources)
        self._apt("update", folder=self.folder)
        self.was_updated = True

    def _write_configuration(self, sources: str) -> None:
        for name in ("parts", "lists/partial", "cache/archives/partial", "state"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / "parts" / "sources.sources").write_text(sources + "\n")
        settings = {
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": f"{self.folder}/parts",
            "Dir::State": f"{self.folder}/state",
            "Dir::State::lists": f"{self.folder}/lists",
            "Dir::Cache": f"{self.folder}/cache",
            "APT::Sandbox::User": "",
            "APT::Update::Post-Invoke-Success": "",
        }
        self.configuration.write_text("".join(f'{key} "{value}";\n' for key, value in settings.items()))

    def _apt(self, *words: str, folder: Path) -> None:
        _run(["apt-get", "--quiet=2", *words], folder, self._environment)

    def _cache(self, *words: str) -> str:
        return _run(["apt-cache", *words], self.folder, self._environment)

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "APT_CONFIG": str(self.configuration), "LC_ALL": "C"}


def source_entries(system: Path) -> Iterator[str]:
    """The system's binary entries as entries for sources, in deb822 style whatever the style was."""
    for file in sorted(system.glob("sources.list.d/*.sources")):
        for stanza in re.split(r"\n\s*\n", file.read_text()):
            if re.search(r"^Types:(?:.*\s)?deb(?:\s|$)", stanza, re.MULTILINE):
                yield re.sub(r"^Types:.*$", "Types: deb-src", stanza.strip(), flags=re.MULTILINE) + "\n"
    for file in (system / "sources.list", *sorted(system.glob("sources.list.d/*.list"))):
        for line in file.read_text().splitlines() if file.is_file() else ():
            found = re.match(r"deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s*(?P<parts>.*)", line)
            if found:
                yield _stanza(found)


def _stanza(found: re.Match[str]) -> str:
    """`deb [signed-by=K] URI SUITE PARTS` in deb822 style."""
    signed = re.search(r"signed-by=(\S+)", found["options"] or "", re.IGNORECASE)
    lines = ["Types: deb-src", f"URIs: {found['uri']}", f"Suites: {found['suite']}"]
    lines += [f"Components: {found['parts']}"] if found["parts"] else []
    lines += [f"Signed-By: {signed[1]}"] if signed else []
    return "\n".join(lines) + "\n"


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotHere(f"`{' '.join(command)}` failed:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout
