// SPDX-License-Identifier: Apache-2.0
#error "MetalPerformancePrimitives (tensor operations) is not supported"
