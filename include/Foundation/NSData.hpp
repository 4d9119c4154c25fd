// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// Bytes. Programs get data from <metalloid/Metalloid.hpp>: metalloid::data(bytes, length).
class METALLOID_API Data : public Copying<Data> {
public:
  void* mutableBytes() const;
  UInteger length() const;
};

} // namespace NS
