// SPDX-License-Identifier: Apache-2.0
#include "reflection_json.h"

using namespace llvm;

namespace metalloid::test {
namespace {

json::Value toJson(const std::vector<air::StructMember>& members) {
  json::Array list;
  for (const air::StructMember& member : members)
    list.push_back(json::Object{{"name", member.name},
                                {"typeName", member.typeName},
                                {"offset", member.offset},
                                {"size", member.size},
                                {"arrayLength", member.arrayLength},
                                {"members", toJson(member.members)}});
  return list;
}

StringRef nameOf(air::ArgumentKind kind) {
  static constexpr StringRef names[] = {"buffer",  "indirect_buffer", "threadgroup",
                                        "texture", "sampler",         "built_in"};
  return names[static_cast<int>(kind)];
}

StringRef nameOf(air::Access access) {
  static constexpr StringRef names[] = {"read", "write", "read_write"};
  return names[static_cast<int>(access)];
}

json::Value toJson(const air::Argument& argument) {
  return json::Object{{"parameter", argument.parameter},
                      {"kind", nameOf(argument.kind)},
                      {"builtIn", argument.builtIn},
                      {"name", argument.name},
                      {"typeName", argument.typeName},
                      {"location", argument.location},
                      {"arrayLength", argument.arrayLength},
                      {"access", nameOf(argument.access)},
                      {"addressSpace", argument.addressSpace},
                      {"bufferSize", argument.bufferSize},
                      {"typeSize", argument.typeSize},
                      {"typeAlign", argument.typeAlign},
                      {"unused", argument.unused},
                      {"constantName", argument.constantName},
                      {"active", argument.active},
                      {"members", toJson(argument.members)}};
}

} // namespace

json::Value toJson(const air::Reflection& reflection) {
  json::Array arguments, constants;
  for (const air::Argument& argument : reflection.arguments)
    arguments.push_back(toJson(argument));
  for (const air::FunctionConstant& constant : reflection.constants)
    constants.push_back(json::Object{{"name", constant.name},
                                     {"typeName", constant.typeName},
                                     {"index", constant.index},
                                     {"required", constant.required}});
  return json::Object{{"name", reflection.name},
                      {"arguments", std::move(arguments)},
                      {"constants", std::move(constants)},
                      {"maxTotalThreads", reflection.maxTotalThreads},
                      {"requiredThreads", json::Array(reflection.requiredThreads)},
                      {"staticThreadgroupBytes", reflection.staticThreadgroupBytes},
                      {"fastMath", reflection.fastMath},
                      {"flushDenormals", reflection.flushDenormals},
                      {"hasDebugInfo", reflection.hasDebugInfo},
                      {"languageVersion", reflection.languageVersion},
                      {"airVersion", reflection.airVersion},
                      {"sourceFile", reflection.sourceFile}};
}

} // namespace metalloid::test
