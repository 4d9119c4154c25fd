// SPDX-License-Identifier: Apache-2.0
// The compute part of Metal, with metal-cpp's names.
#pragma once

#include "MTLAllocation.hpp"
#include "MTLArgument.hpp"
#include "MTLBlitCommandEncoder.hpp"
#include "MTLBuffer.hpp"
#include "MTLCommandBuffer.hpp"
#include "MTLCommandEncoder.hpp"
#include "MTLCommandQueue.hpp"
#include "MTLComputeCommandEncoder.hpp"
#include "MTLComputePass.hpp"
#include "MTLComputePipeline.hpp"
#include "MTLDataType.hpp"
#include "MTLDefines.hpp"
#include "MTLDevice.hpp"
#include "MTLEvent.hpp"
#include "MTLFence.hpp"
#include "MTLFunctionConstantValues.hpp"
#include "MTLFunctionDescriptor.hpp"
#include "MTLGPUAddress.hpp"
#include "MTLHeap.hpp"
#include "MTLLibrary.hpp"
#include "MTLLinkedFunctions.hpp"
#include "MTLResource.hpp"
#include "MTLTypes.hpp"
#include "MTLVersion.hpp"
#include <Foundation/Foundation.hpp>
