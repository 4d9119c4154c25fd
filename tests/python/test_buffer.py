# SPDX-License-Identifier: Apache-2.0
"""Device, Buffer and Pipeline."""

from __future__ import annotations

import gc
import threading

import metalloid
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

SQUARE = """
#include <metal_stdlib>
kernel void square(device const float* a, device float* b, uint i [[thread_position_in_grid]]) {
  b[i] = a[i] * a[i];
}
"""


@pytest.fixture
def device():
    return metalloid.Device()


def test_contents_is_live_and_outlives_the_buffer(device):
    view = device.buffer(np.arange(4, dtype=np.int32)).contents
    gc.collect()
    view[0] = 9
    assert view.tolist() == [9, 1, 2, 3]


def test_private_memory_is_read_as_a_snapshot(device):
    buffer = device.buffer(np.arange(6, dtype=np.float32), storage=metalloid.StorageMode.PRIVATE)
    assert buffer.contents.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError):
        buffer.contents[0] = 1
    assert (buffer + buffer).storage is metalloid.StorageMode.PRIVATE


def test_empty_buffers_are_fine(device):
    buffer = device.buffer(np.zeros(0, np.float32))
    assert buffer.numpy().shape == (0,)
    assert (buffer + buffer).size == 0


def test_lists_and_shapes(device):
    buffer = device.buffer([[1, 2, 3], [4, 5, 6]], dtype=np.int16)
    assert buffer.shape == (2, 3)
    assert buffer.reshape(3, -1).numpy().tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(ValueError, match="size 6"):
        buffer.reshape(4)


def test_float64_is_refused_with_advice_and_converted_by_mtlpy(device):
    with pytest.raises(TypeError, match=r"astype\(np\.float32\)"):
        device.buffer(np.zeros(3))
    assert metalloid.mtlpy.Device(cache_path=False).buffer(np.zeros(3)).dtype == np.float32


def test_copy_buffer_checks_its_range(device):
    a, b = device.buffer(np.arange(4, dtype=np.int32)), device.empty(4, np.int32)
    device.copy_buffer(a, b, src_offset=4, dst_offset=0)
    assert b.contents.tolist() == [1, 2, 3, 0]
    with pytest.raises(RuntimeError, match="exceeds source"):
        device.copy_buffer(a, b, src_offset=8, size_bytes=12)


def test_pipeline_runs_in_order_without_waiting(device):
    pipeline = device.compile(SQUARE, "square")
    a, b, c = device.buffer(np.full(4, 3, np.float32)), device.empty(4), device.empty(4)
    assert pipeline.run([a, b], 4, wait=False) == (0.0, 0.0)
    start, end = pipeline.run([b, c], 4)
    assert end >= start
    assert c.contents.tolist() == [81.0] * 4


def test_unbound_buffer_and_missing_function_are_errors(device):
    with pytest.raises(RuntimeError, match="up to index 1"):
        device.compile(SQUARE, "square").run([device.empty(4)], 4)
    with pytest.raises(RuntimeError, match="Function not found in shader: cube"):
        device.compile(SQUARE, "cube")


def test_equal_compiles_share_one_pipeline(device):
    assert device.compile(SQUARE, "square") is device.compile(SQUARE, "square")


def test_threads_share_a_device(device):
    pipeline = device.compile(SQUARE, "square")
    failures = []

    def work(seed: int) -> None:
        x = np.random.default_rng(seed).random(777, dtype=np.float32)
        for _ in range(20):
            a, b = device.buffer(x), device.empty(x.size)
            pipeline.run([a, b], x.size)
            if not np.array_equal(b.contents, x * x):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=50))
def test_integer_arithmetic_wraps_as_numpy_does(values):
    device = metalloid.Device()
    x = np.array(values, np.int32)
    a = device.buffer(x)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal((a + a).contents, x + x)
        np.testing.assert_array_equal((a * a).contents, x * x)
        np.testing.assert_array_equal((a > 0).contents, x > 0)
        assert metalloid.operators.sum(a) == x.sum(dtype=np.int32)
