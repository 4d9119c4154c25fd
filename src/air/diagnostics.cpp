// SPDX-License-Identifier: Apache-2.0
#include "air/diagnostics.h"

#include <memory>

#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace metalloid::air {
namespace {

class Collector : public DiagnosticHandler {
public:
  /// Tells our handlers from others without run-time type information.
  static inline char Tag;
  Collector() : DiagnosticHandler(&Tag) {}

  bool handleDiagnostics(const DiagnosticInfo& info) override {
    if (info.getSeverity() == DS_Error) {
      raw_string_ostream stream(text);
      DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }

  std::string text;
};

Collector* collectorOf(LLVMContext& context) {
  auto* handler = context.getDiagHandlerPtr();
  return handler && handler->DiagnosticContext == &Collector::Tag
             ? static_cast<Collector*>(const_cast<DiagnosticHandler*>(handler))
             : nullptr;
}

} // namespace

void collectDiagnostics(LLVMContext& context) {
  if (!collectorOf(context))
    context.setDiagnosticHandler(std::make_unique<Collector>());
}

std::string takeDiagnostics(LLVMContext& context) {
  Collector* collector = collectorOf(context);
  return collector ? std::exchange(collector->text, {}) : std::string();
}

} // namespace metalloid::air
