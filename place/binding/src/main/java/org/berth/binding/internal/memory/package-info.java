/** Counts memory outside the heap against the JVM's limit, and shows it as segments of java.lang.foreign. It is no part of the API. */
@NullMarked
package org.berth.binding.internal.memory;

import org.jspecify.annotations.NullMarked;
