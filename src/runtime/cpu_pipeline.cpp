// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu_pipeline.h"

namespace metalloid::runtime {

const Image* CpuPipeline::find(const Size3& threads) const {
  uint32_t count = count_.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i)
    if (variants_[i].threads == threads)
      return variants_[i].image.get();
  return nullptr;
}

Expected<const Image*> CpuPipeline::image(const Size3& threadgroup) {
  if (const Image* own = find(threadgroup))
    return own;
  Size3 any = anySize(threadgroup);
  if (!deservesOwnCode(threadgroup))
    if (const Image* made = find(any))
      return made;
  return make(threadgroup, any);
}

Expected<const Image*> CpuPipeline::make(const Size3& threadgroup, const Size3& any) {
  std::lock_guard lock(making_);
  bool own = deservesOwnCode(threadgroup) && ownSizes_ < MaxOwnSizes;
  const Size3& threads = own ? threadgroup : any;
  if (const Image* made = find(threads)) // By another thread, before this one got the lock.
    return made;
  auto image = source_(threads);
  if (!image)
    return tl::unexpected(image.error());
  ownSizes_ += own;
  uint32_t count = count_.load();
  variants_[count] = {threads, std::move(*image)};
  count_.store(count + 1, std::memory_order_release);
  return variants_[count].image.get();
}

Expected<void> CpuPipeline::makeImages(const Dispatch& dispatch) {
  for (const Box& box : cutGrid(dispatch.threads, dispatch.threadsPerThreadgroup))
    if (auto made = image(box.threads); !made)
      return tl::unexpected(made.error());
  return {};
}

} // namespace metalloid::runtime
