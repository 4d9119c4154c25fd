# SPDX-License-Identifier: Apache-2.0
"""`./dev bench cpu`: our CPU device beside PoCL, Intel's OpenCL runtime, NumPy and plain C++.

All runs interleaved in one process, two threads each; medians, spread, and ratios (theirs / ours:
above 1 we are faster). Prints the tables of docs/benchmarks.md; with --write puts them there.
A rival that is not installed is named and left out.
"""

from __future__ import annotations

import os

THREADS = "2"
os.environ["METALLOID_NUM_THREADS"] = THREADS
os.environ["POCL_MAX_PTHREAD_COUNT"] = THREADS
for blas in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[blas] = THREADS

import ctypes  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import metalloid  # noqa: E402
import numpy as np  # noqa: E402

HERE = Path(__file__).parent
BUILD = HERE.parent / "build" / "bench"
ROUNDS = 15

Runs = dict[str, Callable[[], Any]]


def native_library() -> ctypes.CDLL:
    """native.cpp, compiled with clang++ -O3 -march=native."""
    BUILD.mkdir(parents=True, exist_ok=True)
    library = BUILD / "libnative.so"
    flags = ["-O3", "-march=native", "-std=c++20", "-shared", "-fPIC", "-pthread"]
    subprocess.run(["clang++-22", *flags, str(HERE / "native.cpp"), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


class OpenCL:
    """One OpenCL runtime: its compiled kernels and buffers over our arrays."""

    def __init__(self, platform: Any) -> None:
        import pyopencl as cl

        self.cl = cl
        self.context = cl.Context(platform.get_devices())
        self.queue = cl.CommandQueue(self.context)
        self.program = cl.Program(self.context, (HERE / "kernels.cl").read_text()).build()

    def buffer(self, array: np.ndarray[Any, Any]) -> Any:
        flags = self.cl.mem_flags.READ_WRITE | self.cl.mem_flags.COPY_HOST_PTR
        return self.cl.Buffer(self.context, flags, hostbuf=array)

    def runner(self, name: str, grid: Any, group: Any, arguments: list[Any]) -> Callable[[], None]:
        kernel = self.cl.Kernel(self.program, name)
        values = [self.buffer(a) if isinstance(a, np.ndarray) else a for a in arguments]
        kernel.set_args(*values)

        def run(held: list[Any] = values) -> None:  # the kernel keeps no reference to its buffers
            self.cl.enqueue_nd_range_kernel(self.queue, kernel, grid, group)
            self.queue.finish()

        return run


def list_runtimes() -> None:
    """One folder that names every OpenCL runtime: the system's, and those that pip installed.

    The loader reads the path of their libraries when a process starts: so start again with it.
    """
    libraries = str(Path(sys.prefix, "lib"))
    if os.environ.get("LD_LIBRARY_PATH") != libraries:
        environment = {**os.environ, "LD_LIBRARY_PATH": libraries}
        os.execve(sys.executable, [sys.executable, *sys.argv], environment)
    folder = BUILD / "vendors"
    folder.mkdir(parents=True, exist_ok=True)
    for icd in Path("/etc/OpenCL/vendors").glob("*.icd"):
        (folder / icd.name).write_text(icd.read_text())
    for library in Path(sys.prefix, "lib").glob("libintelocl.so.*"):
        (folder / "intel.icd").write_text(str(library))
    os.environ["OCL_ICD_VENDORS"] = str(folder)


def opencl_runtimes() -> dict[str, OpenCL]:
    """PoCL and Intel, as far as they are installed."""
    list_runtimes()
    try:
        import pyopencl as cl
    except ImportError:
        print("pyopencl is not installed: no OpenCL rivals", file=sys.stderr)
        return {}
    found = {}
    for platform in cl.get_platforms():
        label = (
            "PoCL" if "Portable" in platform.name else "Intel" if "Intel" in platform.name else ""
        )
        if label and label not in found:
            try:
                found[label] = OpenCL(platform)
            except cl.Error as error:
                print(f"{label}: {error}", file=sys.stderr)
    for label in ("PoCL", "Intel"):
        if label not in found:
            print(f"{label}: not installed", file=sys.stderr)
    return found


def measure(runs: Runs, rounds: int = ROUNDS) -> dict[str, tuple[float, float, float]]:
    """Median, min and max in milliseconds of each, taken in turn after a warm-up. A pause before
    each lets the threads of the one before stop spinning: they share two cores."""
    for run in runs.values():
        run()
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            time.sleep(0.05)
            start = time.perf_counter()
            run()
            times[name].append(1e3 * (time.perf_counter() - start))
    return {n: (statistics.median(t), min(t), max(t)) for n, t in times.items()}


class Bench:
    """The rows: each gives the same work to everybody that can do it."""

    def __init__(self, rivals: dict[str, OpenCL]) -> None:
        self.lib = metalloid.compile((HERE / "kernels.metal").read_text())
        self.rivals = rivals
        self.native = native_library()
        self.random = np.random.default_rng(0)

    def floats(self, count: int) -> np.ndarray[Any, Any]:
        return self.random.random(count, dtype=np.float32)

    def row(
        self,
        name: str,
        arguments: list[Any],
        grid: tuple[int, ...],
        group: tuple[int, ...],
        numpy: Callable[[], Any] | None,
        plain: Callable[[], Any],
    ) -> dict[str, tuple[float, float, float]]:
        """`arguments`: arrays and NumPy scalars in the order both kernel texts take them."""
        ours = [a.item() if isinstance(a, np.generic) else a for a in arguments]
        kernel = self.lib[name]
        runs: Runs = {"ours": lambda: kernel(*ours, grid=grid, threadgroup=group)}
        for label, rival in self.rivals.items():
            runs[label] = rival.runner(name, grid, group, arguments)
        if numpy is not None:
            runs["NumPy"] = numpy
        runs["C++ -O3"] = plain
        return measure(runs)

    def rows(self) -> dict[str, dict[str, tuple[float, float, float]]]:
        c, native, floats = _pointer, self.native, self.floats
        n = 1 << 24
        a, b, out = floats(n), floats(n), np.zeros(n, np.float32)
        size = ctypes.c_size_t
        rows = {}
        rows["vector add, 16 Mi"] = self.row(
            "vector_add",
            [a, b, out],
            (n,),
            (256,),
            lambda: np.add(a, b, out=out),
            lambda: native.vector_add(c(a), c(b), c(out), size(n)),
        )
        rows["saxpy with early return, 16 Mi"] = self.row(
            "saxpy",
            [a, out, np.float32(2), np.uint32(n - 5)],
            (n,),
            (256,),
            lambda: np.add(out, 2 * a, out=out),
            lambda: native.saxpy(c(a), c(out), ctypes.c_float(2), size(n - 5)),
        )
        rows["exp, 16 Mi"] = self.row(
            "exponential",
            [a, out],
            (n,),
            (256,),
            lambda: np.exp(a, out=out),
            lambda: native.exponential(c(a), c(out), size(n)),
        )
        sums = np.zeros(n // 256, np.float32)
        rows["tree reduction, 16 Mi by 256"] = self.row(
            "tree_reduce",
            [a, sums],
            (n,),
            (256,),
            lambda: a.reshape(-1, 256).sum(1, out=sums),
            lambda: native.tree_reduce(c(a), c(sums), size(n // 256)),
        )
        m = 1024
        left, right, product = floats(m * m), floats(m * m), np.zeros(m * m, np.float32)
        square = [v.reshape(m, m) for v in (left, right, product)]
        rows["matmul 1024^3, 16 x 16 tiles"] = self.row(
            "matmul",
            [left, right, product, np.uint32(m)],
            (m, m),
            (16, 16),
            lambda: np.matmul(square[0], square[1], out=square[2]),
            lambda: native.matmul(c(left), c(right), c(product), size(m)),
        )
        x, y = floats(4096 * 1024), np.zeros(4096 * 1024, np.float32)
        table = x.reshape(4096, 1024)

        def numpy_softmax() -> Any:
            e = np.exp(table - table.max(1, keepdims=True))
            return e / e.sum(1, keepdims=True)

        rows["softmax 4096 x 1024"] = self.row(
            "softmax",
            [x, y],
            (4096 * 256,),
            (256,),
            numpy_softmax,
            lambda: native.softmax(c(x), c(y), size(4096)),
        )
        side = 2048
        iterations = np.zeros(side * side, np.int32)
        rows["mandelbrot 2048^2, 256 iterations"] = self.row(
            "mandelbrot",
            [iterations, np.uint32(side), np.uint32(side)],
            (side, side),
            (32, 8),
            None,
            lambda: native.mandelbrot(c(iterations), size(side), size(side)),
        )
        octets = self.random.integers(0, 256, n, dtype=np.uint8)
        bins = np.zeros(256, np.uint32)
        rows["histogram, 16 Mi atomics"] = self.row(
            "histogram",
            [octets, bins],
            (n,),
            (256,),
            lambda: np.bincount(octets, minlength=256),
            lambda: native.histogram(c(octets), c(bins), size(n)),
        )
        rows_, columns = 4096, 4096
        weights = self.random.integers(0, 2**32, rows_ * columns // 8, dtype=np.uint32)
        scales, vector, result = floats(rows_ * columns // 32), floats(columns), floats(rows_)
        rows["gemv 4096^2, 4 bits"] = self.row(
            "gemv4",
            [weights, scales, vector, result, np.uint32(columns)],
            (rows_,),
            (64,),
            None,
            lambda: native.gemv4(
                c(weights), c(scales), c(vector), c(result), size(rows_), size(columns)
            ),
        )
        h = 1 << 20
        rod, later = floats(h), np.zeros(h, np.float32)
        rows["heat, 64 barriers in a loop, 1 Mi"] = self.row(
            "heat",
            [rod, later],
            (h,),
            (256,),
            None,
            lambda: native.heat(c(rod), c(later), size(h // 256)),
        )
        return rows

    def dispatch(self) -> dict[str, dict[str, tuple[float, float, float]]]:
        """An empty kernel, one threadgroup: waited for each time, and 1,000 in a row."""
        kernel = self.lib["empty"]
        pipeline, queue = kernel._pipeline, self.lib._queue

        def ours(wait: bool) -> None:
            queue.run(pipeline, [], [], (1, 1, 1), (1, 1, 1), wait)

        runs: Runs = {"ours": lambda: _repeat(lambda: ours(True), 1000)}
        many: Runs = {"ours": lambda: (_repeat(lambda: ours(False), 999), ours(True))}
        for label, rival in self.rivals.items():
            empty = rival.cl.Kernel(rival.program, "empty")

            def waited(rival: Any = rival, empty: Any = empty) -> None:
                rival.cl.enqueue_nd_range_kernel(rival.queue, empty, (1,), (1,))
                rival.queue.finish()

            def pipelined(rival: Any = rival, empty: Any = empty) -> None:
                for _ in range(1000):
                    rival.cl.enqueue_nd_range_kernel(rival.queue, empty, (1,), (1,))
                rival.queue.finish()

            runs[label] = lambda waited=waited: _repeat(waited, 1000)
            many[label] = pipelined
        return {
            "empty dispatch, waited (µs)": measure(runs, 7),
            "empty dispatch, pipelined (µs)": measure(many, 7),
        }


def _repeat(run: Callable[[], Any], times: int) -> None:
    for _ in range(times):
        run()


def _pointer(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def table(rows: dict[str, dict[str, tuple[float, float, float]]], unit: str) -> str:
    """Markdown: our median with its spread, then each rival's median and ratio."""
    labels = ["PoCL", "Intel", "NumPy", "C++ -O3"]
    lines = [
        f"| kernel | ours {unit} (min … max) | "
        + " | ".join(f"{n} {unit}, ratio" for n in labels)
        + " |",
        "|---|" + "---|" * (len(labels) + 1),
    ]
    for name, results in rows.items():
        median, low, high = results["ours"]
        cells = [f"{median:.2f} ({low:.2f} … {high:.2f})"]
        for label in labels:
            if label in results:
                theirs = results[label][0]
                cells.append(f"{theirs:.2f}, **{theirs / median:.2f}x**")
            else:
                cells.append("—")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def levels() -> str:
    """Our own AVX2 code beside our AVX-512 code, each in a process of its own."""
    lines = ["| kernel | AVX2 ms | AVX-512 ms | ratio |", "|---|---|---|---|"]
    results = {}
    for level in ("x86-64-v3", "x86-64-v4"):
        done = subprocess.run(
            [sys.executable, __file__, "--ours"],
            env={**os.environ, "METALLOID_CPU": level},
            capture_output=True,
            text=True,
            check=True,
        )
        results[level] = dict(line.split("\t") for line in done.stdout.splitlines())
    for name in results["x86-64-v3"]:
        two, four = float(results["x86-64-v3"][name]), float(results["x86-64-v4"][name])
        lines.append(f"| {name} | {two:.2f} | {four:.2f} | {two / four:.2f}x |")
    return "\n".join(lines)


def start_times() -> str:
    """A fresh process: import, first result from source, first result from the disk cache."""
    script = HERE / "first_result.py"
    lines = ["| fresh process, page cache warm | ms (median of 9) |", "|---|---|"]
    for title, mode in (
        ("`import metalloid`, over NumPy's", "import"),
        ("10-line kernel, source to result, empty cache", "cold"),
        ("10-line kernel, source to result, disk cache", "warm"),
    ):
        times = []
        for _ in range(10):
            done = subprocess.run(
                [sys.executable, str(script), mode], capture_output=True, text=True, check=True
            )
            times.append(float(done.stdout))
        lines.append(f"| {title} | {statistics.median(times[1:]):.1f} |")
    return "\n".join(lines)


def machine() -> str:
    names = [
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line
    ]
    return f"{names[0].split(':')[1].strip()}, {os.cpu_count()} cores"


def main() -> None:
    ours = "--ours" in sys.argv
    bench = Bench({} if ours else opencl_runtimes())
    if ours:
        for name, results in bench.rows().items():
            print(f"{name}\t{results['ours'][0]}")
        return
    text = (
        "# Benchmarks\n\n"
        f"Machine: {machine()}. Everybody runs on {THREADS} threads, interleaved in one process; "
        f"medians of {ROUNDS}; a ratio above 1 means that we are faster. "
        "`./dev bench cpu` prints this page.\n\n"
        f"{table(bench.rows(), 'ms')}\n\n{table(bench.dispatch(), 'µs')}\n\n{levels()}\n\n"
        f"{start_times()}\n"
    )
    print(text)
    if "--write" in sys.argv:
        (HERE.parent / "docs" / "benchmarks.md").write_text(text)


if __name__ == "__main__":
    main()
