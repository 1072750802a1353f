/* <linux/cleanup.h>: what is done where a variable goes out of scope: guards that hold locks, memory that is given back */
#ifndef DUET_LINUX_CLEANUP_H
#define DUET_LINUX_CLEANUP_H

#include <linux/compiler.h>

#define __cleanup(function) __attribute__((cleanup(function)))

/* __free(name): `action` on what the variable, `_T`, holds at the end of its scope. */
#define DEFINE_FREE(name, type, action) \
	static inline void __free_##name(void *__place) { type _T = *(type *)__place; action; }
#define __free(name) __cleanup(__free_##name)
#define no_free_ptr(pointer) ({ __auto_type __taken = (pointer); (pointer) = NULL; __taken; })
#define return_ptr(pointer) return no_free_ptr(pointer)

/* CLASS(name, variable)(arguments): a variable that is made by `make` and ends with `end`. */
#define __DUET_CLASS_END(name, type, end) \
	static inline void class_##name##_destructor(type *__place) { type _T = *__place; end; }
#define DEFINE_CLASS(name, type, end, make, parameters...) \
	typedef type class_##name##_t; \
	__DUET_CLASS_END(name, type, end) \
	static inline type class_##name##_constructor(parameters) { type __made = make; return __made; }
#define CLASS(name, variable) \
	class_##name##_t variable __cleanup(class_##name##_destructor) = class_##name##_constructor

/* guard(name)(lock), scoped_guard(name, lock) { ... }: the lock is held to the end of the scope. */
#define DEFINE_GUARD(name, type, lock, unlock) DEFINE_CLASS(name, type, unlock, ({ lock; _T; }), type _T)
#define __duet_guard_2(left, right) left##right
#define __duet_guard_1(left, right) __duet_guard_2(left, right)
#define guard(name) CLASS(name, __duet_guard_1(__duet_guard_, __COUNTER__))
#define scoped_guard(name, arguments...) \
	for (CLASS(name, scope)(arguments), *__once = NULL; !__once; __once = (void *)1)

/* Guards with a state of their own, `_T->...`; those of the second kind are of nothing. */
#define __DUET_GUARD(name, type, unlock, members...) \
	typedef struct { type *lock; members; } class_##name##_t; \
	static inline void class_##name##_destructor(class_##name##_t *_T) { if (_T->lock) { unlock; } }
#define DEFINE_LOCK_GUARD_1(name, type, take, unlock, members...) \
	__DUET_GUARD(name, type, unlock, members) \
	static inline class_##name##_t class_##name##_constructor(type *__given) \
	{ class_##name##_t __made = { .lock = __given }, *_T = &__made; take; return __made; }
#define DEFINE_LOCK_GUARD_0(name, take, unlock, members...) \
	__DUET_GUARD(name, void, unlock, members) \
	static inline class_##name##_t class_##name##_constructor(void) \
	{ class_##name##_t __made = { .lock = (void *)1 }, *_T = &__made; (void)_T; take; return __made; }

#endif
