# SPDX-License-Identifier: Apache-2.0
# How this project declares its libraries, programs and tests: one helper a kind of target.

set(METALLOID_LLVM_VERSION 22)
set(METALLOID_LLVM_PREFIX /usr/lib/llvm-${METALLOID_LLVM_VERSION} CACHE PATH "Where LLVM 22 lives")
set(METALLOID_LLVM_CONFIG ${METALLOID_LLVM_PREFIX}/bin/llvm-config)

find_package(tl-expected CONFIG QUIET)
find_package(fmt CONFIG REQUIRED)

if(METALLOID_SANITIZE)
  add_compile_options(-fsanitize=${METALLOID_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${METALLOID_SANITIZE})
endif()

function(metalloid_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
endfunction()

# metalloid_library(name SOURCES... [DEPENDS...]): a static part of the product that knows no LLVM.
function(metalloid_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  metalloid_warnings(${name})
endfunction()

# metalloid_llvm_library(name SOURCES... [DEPENDS...]): a static part that uses LLVM or Clang.
# LLVM's own flags: no RTTI, its macros, its headers as system headers.
function(metalloid_llvm_library name)
  metalloid_library(${name} ${ARGN})
  metalloid_use_llvm_headers(${name})
endfunction()

function(metalloid_use_llvm_headers target)
  target_include_directories(${target} SYSTEM PUBLIC ${METALLOID_LLVM_PREFIX}/include)
  target_compile_definitions(${target} PUBLIC _GNU_SOURCE __STDC_CONSTANT_MACROS
                                              __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
                                           -ffunction-sections -fdata-sections)
endfunction()

# The static LLVM archives a program needs for the given llvm-config components.
function(metalloid_llvm_archives out)
  execute_process(COMMAND ${METALLOID_LLVM_CONFIG} --link-static --libfiles ${ARGN}
                  OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(files UNIX_COMMAND "${files}")
  list(FILTER files EXCLUDE REGEX libPolly) # llvm-config names it; Debian's package has no archive
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# metalloid_link_llvm(target component...): link LLVM statically into a program; libz3 and libxml2,
# which Debian's llvm-config names, are dropped by --as-needed because nothing we link uses them.
function(metalloid_link_llvm target)
  metalloid_llvm_archives(archives ${ARGN})
  target_link_libraries(${target} PRIVATE -Wl,--start-group ${archives} -Wl,--end-group
                        /usr/lib/x86_64-linux-gnu/libzstd.a /usr/lib/x86_64-linux-gnu/libz.a
                        rt dl m pthread)
  target_link_options(${target} PRIVATE -fuse-ld=lld -Wl,--gc-sections -Wl,--as-needed)
endfunction()

# metalloid_gtest(name SOURCES... [DEPENDS...] [LLVM component...]): a GoogleTest program run by ctest.
function(metalloid_gtest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LLVM" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE METALLOID_SOURCE_ROOT="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} GTest::gtest GTest::gtest_main)
  metalloid_warnings(${name})
  if(ARG_LLVM)
    metalloid_use_llvm_headers(${name})
    metalloid_link_llvm(${name} ${ARG_LLVM})
  endif()
  # The wheel's build gives binaries their installed run path; tests run where they are built.
  set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH OFF)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
