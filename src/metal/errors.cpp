// SPDX-License-Identifier: Apache-2.0
#include "metal/errors.h"

#include <Metal/MTLCommandBuffer.hpp>
#include <Metal/MTLLibrary.hpp>

#include "metal/foundation/error.h"

namespace metalloid::metal {
namespace {

MTL::LibraryError libraryCode(Error::Kind kind) {
  switch (kind) {
  case Error::Kind::CompileFailed:
    return MTL::LibraryErrorCompileFailure;
  case Error::Kind::NotSupported:
    return MTL::LibraryErrorUnsupported;
  case Error::Kind::Io:
    return MTL::LibraryErrorFileNotFound;
  default:
    return MTL::LibraryErrorInternal;
  }
}

MTL::CommandBufferError commandBufferCode(Error::Kind kind) {
  switch (kind) {
  case Error::Kind::InvalidArgument:
    return MTL::CommandBufferErrorInvalidResource;
  case Error::Kind::NotSupported:
    return MTL::CommandBufferErrorNotPermitted;
  case Error::Kind::OutOfMemory:
    return MTL::CommandBufferErrorOutOfMemory;
  case Error::Kind::Fault:
    return MTL::CommandBufferErrorPageFault;
  default:
    return MTL::CommandBufferErrorInternal;
  }
}

} // namespace

NS::SharedPtr<NS::Error> libraryError(const Error& error) {
  return makeError("MTLLibraryErrorDomain", libraryCode(error.kind), error.message);
}

NS::SharedPtr<NS::Error> commandBufferError(const Error& error) {
  return makeError("MTLCommandBufferErrorDomain", NS::Integer(commandBufferCode(error.kind)),
                   error.message);
}

} // namespace metalloid::metal
