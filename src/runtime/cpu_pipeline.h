// SPDX-License-Identifier: Apache-2.0
// A kernel of the CPU device with the images made of it so far.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "runtime/device.h"
#include "runtime/grid_boxes.h"

namespace metalloid::runtime {

class CpuPipeline : public Pipeline {
public:
  /// Makes the image for a threadgroup size (0 along an axis: any).
  using ImageSource = std::function<Expected<std::shared_ptr<const Image>>(const Size3& threads)>;

  CpuPipeline(air::Reflection reflection, ImageSource source)
      : reflection_(std::move(reflection)), source_(std::move(source)) {}

  const air::Reflection& reflection() const override { return reflection_; }
  uint32_t maxTotalThreads() const override { return reflection_.maxTotalThreads; }
  uint32_t staticThreadgroupBytes() const override { return reflection_.staticThreadgroupBytes; }

  /// The image that runs threadgroups of this size: one of its own, or one for any size. Made on
  /// the first call; later calls take no lock. The pipeline owns it.
  Expected<const Image*> image(const Size3& threadgroup);

  /// Makes the images of all boxes of `dispatch`, which must have passed validateDispatch().
  Expected<void> makeImages(const Dispatch& dispatch);

private:
  struct Variant {
    Size3 threads;
    std::shared_ptr<const Image> image;
  };
  /// Sizes that get code of their own; more go to the images for any size, of which there are
  /// four (y and z fixed to 1 or not).
  static constexpr uint32_t MaxOwnSizes = 8;

  const Image* find(const Size3& threads) const;
  Expected<const Image*> make(const Size3& threadgroup, const Size3& any);

  air::Reflection reflection_;
  ImageSource source_;
  std::mutex making_;              ///< Held while an image is made.
  uint32_t ownSizes_ = 0;          ///< Under `making_`.
  std::atomic<uint32_t> count_{0}; ///< Variants published; only ever grows.
  std::array<Variant, MaxOwnSizes + 4> variants_;
};

} // namespace metalloid::runtime
