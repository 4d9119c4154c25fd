// SPDX-License-Identifier: Apache-2.0
#include "native.h"

#include <stdexcept>

namespace metalloid::python {

std::string describe(const NS::Error* error) {
  return error ? fromString(error->localizedDescription()) : "unknown error";
}

void raise(const NS::Error* error) {
  bool compile = error && error->code() == NS::Integer(MTL::LibraryErrorCompileFailure);
  if (compile)
    throw CompileFailed{describe(error)};
  throw std::runtime_error(describe(error));
}

} // namespace metalloid::python

NB_MODULE(_core, module) {
  using namespace metalloid::python;
  module.doc() = "The Metal API as metalloid's Python layer needs it; see the package itself.";
  // CompileFailed's one argument is the compiler's text.
  static PyObject* compileFailed =
      PyErr_NewException("metalloid._core.CompileFailed", PyExc_RuntimeError, nullptr);
  module.attr("CompileFailed") = nb::borrow(compileFailed);
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const CompileFailed& failure) {
      PyErr_SetString(compileFailed, failure.text.c_str());
    }
  });
  bindReflection(module);
  bindDevice(module);
  bindLibrary(module);
  bindQueue(module);
}
