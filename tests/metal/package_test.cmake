# SPDX-License-Identifier: Apache-2.0
# The installed package as a program finds it: installs metalloid, builds examples/cpp against it
# with find_package, and runs the program. cmake -D BUILD=… -D SOURCE=… -D WORK=… -D CXX=… -P …
file(REMOVE_RECURSE ${WORK})
set(run COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component metalloid
                        --prefix ${WORK}/prefix ${run})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE}/examples/cpp -B ${WORK}/example
                        -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX}
                        -DCMAKE_BUILD_TYPE=Release ${run})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/example ${run})

# A component that does not exist is refused by name.
file(WRITE ${WORK}/unknown/CMakeLists.txt
     "cmake_minimum_required(VERSION 3.25)\nproject(unknown NONE)\n"
     "find_package(metalloid REQUIRED COMPONENTS graphics)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK}/unknown -B ${WORK}/unknown/build
                        -DCMAKE_PREFIX_PATH=${WORK}/prefix
                RESULT_VARIABLE refused ERROR_VARIABLE message OUTPUT_QUIET)
if(refused EQUAL 0 OR NOT message MATCHES "no component \"graphics\"")
  message(FATAL_ERROR "an unknown component is not refused:\n${message}")
endif()

set(archive)
if(EXISTS "$ENV{METALLOID_FETCHED}/mlx.metallib")
  set(archive "$ENV{METALLOID_FETCHED}/mlx.metallib")
endif()
execute_process(COMMAND ${WORK}/example/sums ${archive} COMMAND_ERROR_IS_FATAL ANY)
