// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "air/reflection.h"
#include "native.h"

namespace metalloid::python {

air::Reflection parseReflection(const NS::Data* data);

} // namespace metalloid::python
