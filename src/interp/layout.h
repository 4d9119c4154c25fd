// SPDX-License-Identifier: Apache-2.0
// Values as flat lists of scalars: a vector, array or struct is its scalars in memory order.
#pragma once

#include "interp/bits.h"
#include "interp/memory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

namespace metalloid::interp {

/// A scalar of a type and where it lies in memory.
struct ScalarPart {
  llvm::Type* type;
  uint64_t offset; ///< Bytes from the value's first.
  uint64_t size;   ///< Bytes.
};

/// The scalars of types, remembered.
class Layouts {
public:
  explicit Layouts(const llvm::DataLayout& layout) : layout_(layout) {}

  llvm::ArrayRef<ScalarPart> scalarsOf(llvm::Type& type);
  /// Which scalar of `aggregate` the indices of extractvalue or insertvalue lead to.
  size_t indexOf(llvm::Type& aggregate, llvm::ArrayRef<unsigned> indices);
  uint64_t storeSize(llvm::Type& type) const { return layout_.getTypeStoreSize(&type); }
  const llvm::DataLayout& dataLayout() const { return layout_; }

private:
  void append(llvm::Type& type, uint64_t offset, llvm::SmallVectorImpl<ScalarPart>& parts);

  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Type*, llvm::SmallVector<ScalarPart, 4>> known_;
};

/// Where the variables of the program lie.
using Variables = llvm::DenseMap<const llvm::GlobalVariable*, Address>;

/// The scalars of a constant; undef and poison are 0. False where it holds something that has no
/// value here, such as the address of a function.
bool evaluateConstant(const llvm::Constant& constant, Layouts& layouts, const Variables& variables,
                      llvm::SmallVectorImpl<Bits>& scalars);

/// Scalars to and from memory. `bytes` must have room for the type's store size.
void loadScalars(llvm::ArrayRef<ScalarPart> parts, const std::byte* bytes, Bits* scalars,
                 size_t stride);
void storeScalars(llvm::ArrayRef<ScalarPart> parts, const Bits* scalars, size_t stride,
                  std::byte* bytes);

} // namespace metalloid::interp
