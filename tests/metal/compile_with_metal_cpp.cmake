# SPDX-License-Identifier: Apache-2.0
# Compiles the example and portable.cpp with Apple's own headers, for which apple/ stands in for
# macOS, and portable.cpp with ours: what works with one works with the other.
# cmake -D CXX=… -D SOURCE=… -P …
set(fetched ${SOURCE}/.cache/fetched)
if(DEFINED ENV{METALLOID_FETCHED})
  set(fetched $ENV{METALLOID_FETCHED})
endif()
set(portable ${SOURCE}/tests/metal/portable.cpp)

function(compile file)
  execute_process(COMMAND ${CXX} -fsyntax-only ${ARGN} ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(ours -I${SOURCE}/include -Wall -Wextra -Werror)
compile(${portable} -std=c++17 ${ours})
compile(${portable} -std=c++20 -fblocks -DOWN_HASH ${ours})

file(GLOB metal_cpp ${fetched}/mlx/include/metal_cpp ${fetched}/mtlpy-0.6.0/metal-cpp)
if(NOT metal_cpp)
  message("SKIPPED: no metal-cpp in ${fetched}; run tools/fetch.py or set METALLOID_FETCHED")
endif()
foreach(folder IN LISTS metal_cpp)
  set(theirs -std=c++20 -fblocks -Wno-unguarded-availability
      -isystem ${SOURCE}/tests/metal/apple -isystem ${folder})
  compile(${SOURCE}/examples/cpp/sums.cpp ${theirs})
  compile(${portable} ${theirs})
  message("compiles with ${folder}")
endforeach()
