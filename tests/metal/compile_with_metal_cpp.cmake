# SPDX-License-Identifier: Apache-2.0
# Compiles examples/cpp with Apple's own headers, for which apple/ stands in for macOS: what the
# example calls, metal-cpp has. cmake -D CXX=… -D SOURCE=… -P …
set(fetched ${SOURCE}/.cache/fetched)
if(DEFINED ENV{METALLOID_FETCHED})
  set(fetched $ENV{METALLOID_FETCHED})
endif()
file(GLOB metal_cpp ${fetched}/mlx/include/metal_cpp ${fetched}/mtlpy-0.6.0/metal-cpp)
if(NOT metal_cpp)
  message("SKIPPED: no metal-cpp in ${fetched}; run tools/fetch.py or set METALLOID_FETCHED")
endif()
foreach(folder IN LISTS metal_cpp)
  execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only -fblocks -Wno-unguarded-availability
                          -isystem ${SOURCE}/tests/metal/apple -isystem ${folder}
                          ${SOURCE}/examples/cpp/sums.cpp
                  COMMAND_ERROR_IS_FATAL ANY)
  message("compiles with ${folder}")
endforeach()
