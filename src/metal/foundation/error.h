// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <Foundation/NSDictionary.hpp>
#include <Foundation/NSError.hpp>
#include <Foundation/NSString.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

class ErrorObject final : public ImmutableObject {
public:
  using Handle = NS::Error;

  std::string description() const override;
  /// What the user info holds under a key, or null.
  NS::Object* info(NS::ErrorUserInfoKey key) const;

  NS::SharedPtr<NS::String> domain;
  NS::Integer code = 0;
  NS::SharedPtr<NS::Dictionary> userInfo;
};

/// An error with this description; owned by the caller.
NS::SharedPtr<NS::Error> makeError(const char* domain, NS::Integer code,
                                   const std::string& description);

} // namespace metalloid::metal
