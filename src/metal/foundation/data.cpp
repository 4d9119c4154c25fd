// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/data.h"

#include <metalloid/Metalloid.hpp>

using namespace metalloid::metal;

namespace NS {

void* Data::mutableBytes() const {
  return as<DataObject>(this)->bytes.data();
}

UInteger Data::length() const {
  return as<DataObject>(this)->bytes.size();
}

} // namespace NS

NS::Data* metalloid::data(const void* bytes, std::size_t length) {
  return makeAutoreleased<DataObject>(bytes, length);
}
