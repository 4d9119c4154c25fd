// SPDX-License-Identifier: Apache-2.0
// What a pipeline's reflection says of its arguments.
#pragma once

#include "MTLDataType.hpp"
#include "MTLDefines.hpp"
#include <Foundation/NSArray.hpp>
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class ArrayType;
class PointerType;
class StructType;

enum BindingType : NS::Integer {
  BindingTypeBuffer = 0,
  BindingTypeThreadgroupMemory = 1,
  BindingTypeTexture = 2,
  BindingTypeSampler = 3,
  BindingTypeImageblockData = 16,
  BindingTypeImageblock = 17,
  BindingTypeVisibleFunctionTable = 24,
  BindingTypePrimitiveAccelerationStructure = 25,
  BindingTypeInstanceAccelerationStructure = 26,
  BindingTypeIntersectionFunctionTable = 27,
  BindingTypeObjectPayload = 34,
  BindingTypeTensor = 37,
};

enum ArgumentType : NS::UInteger {
  ArgumentTypeBuffer = 0,
  ArgumentTypeThreadgroupMemory = 1,
  ArgumentTypeTexture = 2,
  ArgumentTypeSampler = 3,
  ArgumentTypeImageblockData = 16,
  ArgumentTypeImageblock = 17,
  ArgumentTypeVisibleFunctionTable = 24,
  ArgumentTypePrimitiveAccelerationStructure = 25,
  ArgumentTypeInstanceAccelerationStructure = 26,
  ArgumentTypeIntersectionFunctionTable = 27,
};

enum BindingAccess : NS::UInteger {
  BindingAccessReadOnly = 0,
  BindingAccessReadWrite = 1,
  BindingAccessWriteOnly = 2,
  ArgumentAccessReadOnly = 0,
  ArgumentAccessReadWrite = 1,
  ArgumentAccessWriteOnly = 2,
};

class METALLOID_API Type : public NS::Referencing<Type> {
public:
  DataType dataType() const;
};

class METALLOID_API StructMember : public NS::Referencing<StructMember> {
public:
  /// Null unless dataType() is DataTypeArray.
  ArrayType* arrayType();
  DataType dataType() const;
  NS::String* name() const;
  NS::UInteger offset() const; ///< Bytes from the start of the struct.
  /// Null unless dataType() is DataTypeStruct.
  StructType* structType();
};

class METALLOID_API StructType : public NS::Referencing<StructType, Type> {
public:
  /// Null where there is no such member.
  StructMember* memberByName(const NS::String* name);
  /// MTL::StructMember objects in the order of the struct.
  NS::Array* members() const;
};

class METALLOID_API ArrayType : public NS::Referencing<ArrayType, Type> {
public:
  NS::UInteger arrayLength() const;
  /// Null unless elementType() is DataTypeStruct.
  StructType* elementStructType();
  DataType elementType() const;
  NS::UInteger stride() const; ///< Bytes from one element to the next.
};

class METALLOID_API PointerType : public NS::Referencing<PointerType, Type> {
public:
  BindingAccess access() const;
  NS::UInteger alignment() const; ///< Bytes.
  NS::UInteger dataSize() const;  ///< Bytes of one element.
  /// Null unless elementType() is DataTypeStruct.
  StructType* elementStructType();
  DataType elementType() const;
};

/// One argument with a slot that the encoder fills. The older form of Binding.
class METALLOID_API Argument : public NS::Referencing<Argument> {
public:
  BindingAccess access() const;
  [[deprecated("please use isActive instead")]]
  bool active() const;
  NS::UInteger arrayLength() const;
  NS::UInteger bufferAlignment() const; ///< Bytes.
  NS::UInteger bufferDataSize() const;  ///< Bytes of one element.
  DataType bufferDataType() const;
  PointerType* bufferPointerType() const;
  /// Null unless bufferDataType() is DataTypeStruct.
  StructType* bufferStructType() const;
  NS::UInteger index() const;
  /// Whether the kernel uses the argument; only then must it be bound.
  bool isActive() const;
  NS::String* name() const;
  NS::UInteger threadgroupMemoryAlignment() const;
  NS::UInteger threadgroupMemoryDataSize() const;
  ArgumentType type() const;
};

class METALLOID_API Binding : public NS::Referencing<Binding> {
public:
  BindingAccess access() const;
  NS::UInteger index() const;
  bool isArgument() const;
  /// Whether the kernel uses the argument; only then must it be bound.
  bool isUsed() const;
  NS::String* name() const;
  /// Tells which class the binding is: BufferBinding or ThreadgroupBinding.
  BindingType type() const;
  [[deprecated("please use isArgument instead")]]
  bool argument() const;
  [[deprecated("please use isUsed instead")]]
  bool used() const;
};

class METALLOID_API BufferBinding : public NS::Referencing<BufferBinding, Binding> {
public:
  NS::UInteger bufferAlignment() const; ///< Bytes.
  NS::UInteger bufferDataSize() const;  ///< Bytes of one element.
  DataType bufferDataType() const;
  PointerType* bufferPointerType() const;
  /// Null unless bufferDataType() is DataTypeStruct.
  StructType* bufferStructType() const;
};

class METALLOID_API ThreadgroupBinding : public NS::Referencing<ThreadgroupBinding, Binding> {
public:
  NS::UInteger threadgroupMemoryAlignment() const; ///< Bytes.
  NS::UInteger threadgroupMemoryDataSize() const;  ///< Bytes of one element.
};

} // namespace MTL
