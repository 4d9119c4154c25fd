// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/dictionary.h"

#include <stdexcept>

#include "metal/foundation/array.h"

namespace metalloid::metal {

void DictionaryObject::add(const NS::Object* key, const NS::Object* object) {
  if (!key || !object)
    throw std::invalid_argument("NS::Dictionary: a key or an object is null");
  auto found = index.find(key);
  if (found != index.end()) {
    order[found->second].object = retained(object);
    return;
  }
  index.emplace(key, order.size());
  order.push_back({retained(key), retained(object)});
}

bool DictionaryObject::isEqual(const Object& other) const {
  auto* dictionary = dynamic_cast<const DictionaryObject*>(&other);
  if (!dictionary || dictionary->order.size() != order.size())
    return false;
  for (const Entry& entry : order) {
    auto found = dictionary->index.find(entry.key.get());
    if (found == dictionary->index.end() ||
        !dictionary->order[found->second].object->isEqual(entry.object.get()))
      return false;
  }
  return true;
}

std::string DictionaryObject::description() const {
  std::string text = "{";
  for (const Entry& entry : order)
    text += (text.size() > 1 ? ", " : "") + objectOf(entry.key.get())->description() + " = " +
            objectOf(entry.object.get())->description();
  return text + "}";
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {

Dictionary* Dictionary::dictionary() {
  return makeAutoreleased<DictionaryObject>();
}

Dictionary* Dictionary::dictionary(const Object* pObject, const Object* pKey) {
  return dictionary(&pObject, &pKey, 1);
}

Dictionary* Dictionary::dictionary(const Object* const* pObjects, const Object* const* pKeys,
                                   UInteger count) {
  return alloc()->init(pObjects, pKeys, count)->autorelease();
}

Dictionary* Dictionary::alloc() {
  return make<DictionaryObject>();
}

Dictionary* Dictionary::init() {
  return this;
}

Dictionary* Dictionary::init(const Object* const* pObjects, const Object* const* pKeys,
                             UInteger count) {
  for (UInteger i = 0; i < count; ++i)
    as<DictionaryObject>(this)->add(pKeys[i], pObjects[i]);
  return this;
}

UInteger Dictionary::count() const {
  return as<DictionaryObject>(this)->order.size();
}

Enumerator<Object>* Dictionary::enumeratorOfKeys() const {
  ObjectList keys;
  for (const auto& entry : as<DictionaryObject>(this)->order)
    keys.push_back(entry.key);
  return enumerate(std::move(keys));
}

Object* Dictionary::objectForKey(const Object* pKey) const {
  const auto* dictionary = as<DictionaryObject>(this);
  if (!pKey)
    return nullptr;
  auto found = dictionary->index.find(pKey);
  return found == dictionary->index.end() ? nullptr : dictionary->order[found->second].object.get();
}

} // namespace NS
