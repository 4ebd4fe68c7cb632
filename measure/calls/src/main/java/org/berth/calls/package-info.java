/** Calls of Hadoop RPC between JVMs, as programs that {@code berth bench} can run. */
@NullMarked
package org.berth.calls;

import org.jspecify.annotations.NullMarked;
