# SPDX-License-Identifier: Apache-2.0
"""What libmetalloid.so shows and needs: check_library.py LIBRARY.

Exported are the public classes and functions alone, needed are the C and C++ libraries alone, and
nothing in the file names a folder of the machine that built it.
"""

import re
import subprocess
import sys

EXPORTED = re.compile(
    r"(MTL|NS)::|metalloid_(retain|release|autorelease|copy|retain_count)$"
    r"|metalloid_enumerator_(next|all)$"
)
# The functions of include/metalloid.
EXTRAS = re.compile(
    r"metalloid::(archive|cacheInfo|clearCache|data|environment|newLibrary|"
    r"reflection|text|tryCompile)\("
)
NEEDED = re.compile(r"lib(c|m|stdc\+\+|gcc_s)\.so\.\d+|ld-linux-.*\.so\.\d+")


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def exported(library):
    """Demangled names of all symbols that programs can link to."""
    return [line.split(" ", 2)[2] for line in lines("nm", "-D", "-C", "--defined-only", library)]


def dynamic(library, tag):
    entries = [line for line in lines("readelf", "-dW", library) if f"({tag})" in line]
    return [re.search(r"\[(.*)\]", entry)[1] for entry in entries]


def problems(library):
    names = exported(library)
    if len(names) < 400:
        yield f"only {len(names)} symbols are exported"
    for name in names:
        if not EXPORTED.match(name) and not EXTRAS.match(name):
            yield f"exported, but no part of the API: {name}"
        if name.startswith(("vtable", "typeinfo")):
            yield f"a program could depend on {name}"
    for needed in dynamic(library, "NEEDED"):
        if not NEEDED.fullmatch(needed):
            yield f"needs {needed}"
    for path in dynamic(library, "RUNPATH") + dynamic(library, "RPATH"):
        if not path.startswith("$ORIGIN"):
            yield f"looks for libraries in {path}"


found = list(problems(sys.argv[1]))
print("\n".join(found) or f"{len(exported(sys.argv[1]))} symbols, all of the API")
sys.exit(bool(found))
