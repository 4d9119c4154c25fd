// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {
struct objc_class;
struct objc_object {
  struct objc_class* isa;
};
struct objc_selector;
struct Protocol;

typedef struct objc_class* Class;
typedef struct objc_object* id;
typedef struct objc_selector* SEL;
typedef signed char BOOL;

id objc_lookUpClass(const char*);
struct Protocol* objc_getProtocol(const char*);
SEL sel_registerName(const char*);
}
