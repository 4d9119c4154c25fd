# SPDX-License-Identifier: Apache-2.0
"""Every Python, shell and C++ snippet of README and docs runs as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import metalloid
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Commands that are the test run itself, or take minutes.
_LONG = ("./dev demo", "./dev test", "./dev bench")


def _snippets(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, (tag, text) in enumerate(_FENCE.findall(page.read_text())):
            if tag == language:
                found.append((f"{page.name}-{number}", text))
    return found


@pytest.mark.parametrize("name,text", _snippets("python"), ids=[n for n, _ in _snippets("python")])
def test_python_snippet_runs(name: str, text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{name}:\n{done.stderr}"


@pytest.mark.parametrize("name,text", _snippets("sh"), ids=[n for n, _ in _snippets("sh")])
def test_shell_snippet_runs(name: str, text: str) -> None:
    folder = str(Path(sys.executable).parent)
    for line in text.splitlines():
        command = line.split("#")[0].strip()
        if not command or command.startswith(_LONG):
            continue
        command = command.replace(".venv/bin", folder)
        done = subprocess.run(
            ["bash", "-ec", command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        )
        assert done.returncode == 0, f"{command}:\n{done.stderr}"


@pytest.mark.parametrize("name,text", _snippets("cpp"), ids=[n for n, _ in _snippets("cpp")])
def test_cpp_program_builds_and_runs(name: str, text: str, tmp_path: Path) -> None:
    package = Path(metalloid.__file__).parent
    (tmp_path / "program.cpp").write_text(text)
    flags = ["-std=c++17", "-fno-delete-null-pointer-checks", f"-I{package}/include"]
    link = [f"-L{package}/lib", "-lmetalloid", f"-Wl,-rpath,{package}/lib", "-o", "program"]
    build = ["clang++-22", *flags, "program.cpp", *link]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, f"{name}:\n{done.stderr}"
    done = subprocess.run(["./program"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, f"{name}:\n{done.stderr}"


def test_links_between_documents_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            target = target.replace("\n", "")
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert not broken
