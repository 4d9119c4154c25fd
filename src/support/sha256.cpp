// SPDX-License-Identifier: Apache-2.0
#include "support/sha256.h"

#include <mbedtls/sha256.h>

namespace metalloid {

Sha256 sha256(ByteView bytes) {
  Sha256 hash{};
  mbedtls_sha256_ret(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                     hash.data(), /*is224=*/0);
  return hash;
}

std::string toHex(const Sha256& hash) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : hash) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

} // namespace metalloid
