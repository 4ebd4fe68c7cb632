/**
 * Describes a JVM as others see it: its options and flags, the names of its Java threads and of its own
 * threads, and the rules of Berth's agent in it. It is no part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.observation.internal.jvm;

import org.jspecify.annotations.NullMarked;
