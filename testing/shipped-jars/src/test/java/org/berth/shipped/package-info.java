/** Berth's jars on their way to executors that have nothing of Berth. */
@NullMarked
package org.berth.shipped;

import org.jspecify.annotations.NullMarked;
