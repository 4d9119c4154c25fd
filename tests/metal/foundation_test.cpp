// SPDX-License-Identifier: Apache-2.0
#include <Foundation/Foundation.hpp>
#include <Foundation/NSCallback.hpp>

#include <pthread.h>
#include <thread>
#include <unordered_set>

#include <gtest/gtest.h>
#include <metalloid/Metalloid.hpp>

namespace {

using NS::TransferPtr;

NS::SharedPtr<NS::AutoreleasePool> pool() {
  return TransferPtr(NS::AutoreleasePool::alloc()->init());
}

NS::String* text(const char* utf8) {
  return NS::String::string(utf8, NS::UTF8StringEncoding);
}

/// An object whose life is watched through a second reference.
struct Watched {
  NS::SharedPtr<NS::Object> object =
      TransferPtr<NS::Object>(NS::String::alloc()->init("x", NS::UTF8StringEncoding));
  NS::UInteger others() const { return object->retainCount() - 1; }
};

static_assert(!std::is_default_constructible_v<NS::String>);
static_assert(!std::is_destructible_v<NS::String>);
static_assert(sizeof(NS::Range) == 16 && alignof(NS::Range) == 1);
static_assert(std::is_same_v<decltype(NS::String::alloc()->retain()), NS::String*>);

TEST(Ownership, AllocGivesOneReferenceAndReleaseEndsIt) {
  NS::String* string = NS::String::alloc()->init("a", NS::UTF8StringEncoding);
  EXPECT_EQ(string->retainCount(), 1u);
  EXPECT_EQ(string->retain(), string);
  EXPECT_EQ(string->retainCount(), 2u);
  string->release();
  string->release();
}

TEST(Ownership, NullMayBeRetainedAndReleased) {
  NS::String* null = nullptr;
  EXPECT_EQ(null->retain(), nullptr);
  EXPECT_EQ(null->autorelease(), nullptr);
  EXPECT_EQ(null->retainCount(), 0u);
  null->release();
  NS::SharedPtr<NS::String> pointer = NS::RetainPtr(null);
  EXPECT_FALSE(pointer);
}

TEST(SharedPtr, CopiesMovesAndConvertsCountEachReferenceOnce) {
  Watched watched;
  auto first = NS::RetainPtr(static_cast<NS::String*>(watched.object.get()));
  NS::SharedPtr<NS::String> second = first;
  EXPECT_EQ(watched.others(), 2u);
  NS::SharedPtr<NS::Object> base = second;
  EXPECT_EQ(watched.others(), 3u);
  base = std::move(first);
  EXPECT_EQ(watched.others(), 2u);
  EXPECT_FALSE(first);
  second = *&second;
  EXPECT_EQ(watched.others(), 2u);
  EXPECT_TRUE(base == second);
  EXPECT_FALSE(base != second);
  base.reset();
  second = nullptr;
  EXPECT_EQ(watched.others(), 0u);
}

TEST(SharedPtr, DetachGivesTheReferenceAway) {
  Watched watched;
  auto pointer = NS::RetainPtr(watched.object.get());
  pointer.detach();
  EXPECT_EQ(watched.others(), 1u);
  watched.object->release();
}

TEST(SharedPtr, HashesLikeThePointer) {
  Watched watched;
  std::unordered_set<NS::SharedPtr<NS::Object>> set = {watched.object};
  EXPECT_TRUE(set.contains(NS::RetainPtr(watched.object.get())));
}

TEST(AutoreleasePool, EndsReferencesWhenReleased) {
  Watched watched;
  {
    auto outer = pool();
    watched.object->retain()->autorelease();
    {
      auto inner = pool();
      watched.object->retain()->autorelease();
      EXPECT_EQ(watched.others(), 2u);
    }
    EXPECT_EQ(watched.others(), 1u);
  }
  EXPECT_EQ(watched.others(), 0u);
}

TEST(AutoreleasePool, ReleasingAnOuterPoolEmptiesInnerOnes) {
  Watched watched;
  auto outer = pool();
  auto inner = pool();
  watched.object->retain()->autorelease();
  outer.reset();
  EXPECT_EQ(watched.others(), 0u);
  inner.reset();
}

TEST(AutoreleasePool, WithoutAPoolObjectsLiveToTheEndOfTheThread) {
  Watched watched;
  std::thread([&] {
    watched.object->retain()->autorelease();
    EXPECT_EQ(watched.others(), 1u);
  }).join();
  EXPECT_EQ(watched.others(), 0u);
}

TEST(AutoreleasePool, WorksInDestructorsOfThreadLocalObjects) {
  static NS::Object* object;
  struct AtThreadExit {
    ~AtThreadExit() {
      auto inner = pool();
      object->retain()->autorelease();
      inner.reset();
      object->retain()->autorelease(); // And without a pool.
    }
  };
  Watched watched;
  object = watched.object.get();
  std::thread([&] {
    static thread_local AtThreadExit atExit;
    (void)atExit;
    object->retain()->autorelease();
  }).join();
  EXPECT_EQ(watched.others(), 0u);
}

TEST(AutoreleasePool, WorksInKeyDestructorsThatRunAfterItsOwn) {
  static NS::Object* object;
  static int rounds;
  Watched watched;
  object = watched.object.get();
  rounds = 0;
  static pthread_key_t key;
  pthread_key_create(&key, [](void* value) {
    object->retain()->autorelease();
    if (++rounds < 2)
      pthread_setspecific(key, value);
  });
  std::thread([] {
    object->retain()->autorelease();
    pthread_setspecific(key, &key);
  }).join();
  pthread_key_delete(key);
  EXPECT_EQ(rounds, 2);
  EXPECT_EQ(watched.others(), 0u);
}

TEST(String, CountsAndReadsUtf16Units) {
  auto scope = pool();
  NS::String* string = text("a\xc3\xa4\xf0\x9f\x98\x80"); // a, a umlaut, an emoji of two units
  EXPECT_EQ(string->length(), 4u);
  EXPECT_EQ(string->character(1), 0xe4);
  EXPECT_EQ(string->character(2), 0xd83d);
  EXPECT_THROW(string->character(4), std::out_of_range);
  EXPECT_EQ(string->lengthOfBytes(NS::UTF8StringEncoding), 7u);
  EXPECT_EQ(string->cString(NS::ASCIIStringEncoding), nullptr);
}

TEST(String, TakesTheEncodingsItKnowsAndRefusesTheRest) {
  auto scope = pool();
  EXPECT_STREQ(NS::String::string("\xe4", NS::ISOLatin1StringEncoding)->utf8String(), "\xc3\xa4");
  EXPECT_STREQ(NS::String::string("\xc3\xa4", NS::ASCIIStringEncoding)->utf8String(), "\xc3\xa4");
  const char utf16[] = "a\0\x3d\xd8\x00\xde\0";
  EXPECT_STREQ(TransferPtr(NS::String::alloc()->init(const_cast<char*>(utf16), 6,
                                                     NS::UTF16LittleEndianStringEncoding, false))
                   ->utf8String(),
               "a\xf0\x9f\x98\x80");
  EXPECT_EQ(text("\xff"), nullptr);
  EXPECT_EQ(text("\xc0\x80"), nullptr);
  EXPECT_EQ(text("\xed\xa0\x80"), nullptr);
  EXPECT_EQ(NS::String::string("a", NS::ShiftJISStringEncoding), nullptr);
  EXPECT_EQ(NS::String::string(nullptr, NS::UTF8StringEncoding), nullptr);
}

TEST(String, FindsAndCompares) {
  auto scope = pool();
  NS::String* string = text("one two One");
  EXPECT_TRUE(string->rangeOfString(text("two"), NS::LiteralSearch).Equal(NS::Range(4, 3)));
  EXPECT_TRUE(string->rangeOfString(text("ONE"), NS::CaseInsensitiveSearch | NS::BackwardsSearch)
                  .Equal(NS::Range(8, 3)));
  EXPECT_EQ(string->rangeOfString(text("two"), NS::AnchoredSearch).location,
            NS::UInteger(NS::NotFound));
  EXPECT_THROW(string->rangeOfString(text("t.o"), NS::RegularExpressionSearch),
               std::invalid_argument);
  EXPECT_EQ(text("Abc")->caseInsensitiveCompare(text("aBC")), NS::OrderedSame);
  EXPECT_STREQ(text("a")->stringByAppendingString(text("b"))->utf8String(), "ab");
  EXPECT_TRUE(text("a")->isEqualToString(MTLSTR("a")));
  EXPECT_EQ(text("a")->hash(), MTLSTR("a")->hash());
  EXPECT_EQ(MTLSTR("a"), MTLSTR("a"));
}

TEST(Array, KeepsItsObjectsAndChecksIndices) {
  auto scope = pool();
  const NS::Object* objects[] = {MTLSTR("a"), MTLSTR("b")};
  NS::Array* array = NS::Array::array(objects, 2);
  EXPECT_EQ(array->count(), 2u);
  EXPECT_STREQ(array->object<NS::String>(1)->utf8String(), "b");
  EXPECT_THROW(array->object(2), std::out_of_range);
  EXPECT_TRUE(array->isEqual(TransferPtr(NS::Array::alloc()->init(objects, 2)).get()));
  NS::Enumerator<NS::Object>* walk = array->objectEnumerator();
  EXPECT_EQ(walk->nextObject(), objects[0]);
  EXPECT_EQ(walk->allObjects()->count(), 1u);
  EXPECT_EQ(walk->nextObject(), nullptr);
}

TEST(Dictionary, FindsByEqualKeys) {
  auto scope = pool();
  const NS::Object* keys[] = {text("a"), text("b"), text("a")};
  const NS::Object* objects[] = {NS::Number::number(1), NS::Number::number(2),
                                 NS::Number::number(3)};
  NS::Dictionary* dictionary = NS::Dictionary::dictionary(objects, keys, 3);
  EXPECT_EQ(dictionary->count(), 2u);
  EXPECT_EQ(dictionary->object<NS::Number>(text("a"))->intValue(), 3);
  EXPECT_EQ(dictionary->object(text("c")), nullptr);
  EXPECT_STREQ(dictionary->keyEnumerator<NS::String>()->nextObject()->utf8String(), "a");
}

TEST(Set, HoldsEqualObjectsOnce) {
  auto scope = pool();
  const NS::Object* objects[] = {text("a"), text("a"), text("b")};
  EXPECT_EQ(TransferPtr(NS::Set::alloc()->init(objects, 3))->count(), 2u);
}

TEST(Number, ConvertsAndComparesByValue) {
  auto scope = pool();
  EXPECT_EQ(NS::Number::number(-1)->unsignedCharValue(), 255);
  EXPECT_EQ(NS::Number::number(2.75)->intValue(), 2);
  EXPECT_STREQ(NS::Number::number(0.1f)->stringValue()->utf8String(), "0.1");
  EXPECT_STREQ(NS::Number::number(true)->objCType(), "B");
  EXPECT_TRUE(NS::Number::number(1)->isEqualToNumber(NS::Number::number(1.0)));
  EXPECT_EQ(NS::Number::number(-1)->compare(NS::Number::number(~0ull)), NS::OrderedAscending);
  int value = 0;
  NS::Number::number(7)->getValue(&value, sizeof value);
  EXPECT_EQ(value, 7);
  EXPECT_THROW(NS::Number::number(7)->getValue(&value, 2), std::invalid_argument);
}

TEST(Error, AlwaysDescribesItself) {
  auto scope = pool();
  NS::Error* plain = NS::Error::error(NS::CocoaErrorDomain, 4, nullptr);
  EXPECT_STREQ(plain->localizedDescription()->utf8String(), "Error 4 of NSCocoaErrorDomain");
  NS::Error* described = NS::Error::error(
      NS::POSIXErrorDomain, 2,
      NS::Dictionary::dictionary(text("no such file"), NS::LocalizedDescriptionKey));
  EXPECT_STREQ(described->localizedDescription()->utf8String(), "no such file");
  EXPECT_EQ(described->localizedFailureReason(), nullptr);
}

TEST(URL, KnowsFilesByPathAndByAddress) {
  auto scope = pool();
  EXPECT_STREQ(NS::URL::fileURLWithPath(text("/tmp/a b"))->fileSystemRepresentation(), "/tmp/a b");
  EXPECT_STREQ(
      TransferPtr(NS::URL::alloc()->init(text("file:///tmp/a%20b")))->fileSystemRepresentation(),
      "/tmp/a b");
  EXPECT_EQ(TransferPtr(NS::URL::alloc()->init(text("https://example.org/a")))
                ->fileSystemRepresentation(),
            nullptr);
}

TEST(Bundle, IsTheFolderOfTheProgram) {
  auto scope = pool();
  NS::Bundle* bundle = NS::Bundle::mainBundle();
  std::string executable = bundle->executableURL()->fileSystemRepresentation();
  EXPECT_EQ(executable.find(bundle->bundlePath()->utf8String()), 0u);
  EXPECT_EQ(NS::Bundle::bundle(text("/nowhere/at/all")), nullptr);
}

TEST(Data, IsACopyOfTheBytes) {
  auto scope = pool();
  char bytes[] = "abc";
  NS::Data* data = metalloid::data(bytes, 3);
  bytes[0] = 'x';
  EXPECT_EQ(data->length(), 3u);
  EXPECT_EQ(static_cast<char*>(data->mutableBytes())[0], 'a');
}

TEST(Availability, AnswersByMacosVersion) {
  EXPECT_TRUE(__builtin_available(macOS 15.0, iOS 18, *));
  EXPECT_TRUE(__builtin_available(macOS 26, *));
  EXPECT_FALSE(__builtin_available(macOS 27, *));
}

} // namespace
