/**
 * Guards what concerns this JVM as a whole: which copy of Berth in it may bind, and whether it may end now.
 * It is no part of the API: Berth's own programs use it.
 */
@NullMarked
package org.berth.binding.internal.jvm;

import org.jspecify.annotations.NullMarked;
