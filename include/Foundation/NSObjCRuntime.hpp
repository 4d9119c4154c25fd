// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSTypes.hpp"

namespace NS {

enum ComparisonResult : Integer { OrderedAscending = -1, OrderedSame = 0, OrderedDescending = 1 };

/// What searches answer when there is nothing to be found.
const Integer NotFound = IntegerMax;

} // namespace NS
