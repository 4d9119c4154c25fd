# SPDX-License-Identifier: Apache-2.0
"""The name `mtlpy` for programs and test suites written against it."""

import sys

import metalloid.mtlpy
from metalloid import operators, shader
from metalloid.mtlpy import *  # noqa: F403

sys.modules["mtlpy.operators"] = operators
sys.modules["mtlpy.shader"] = shader


def __getattr__(name):
    return getattr(metalloid.mtlpy, name)
