/** Carries links over UCX, and checks whether the UCX of the host and of the class path work together. */
@NullMarked
package org.berth.transport.internal.ucx;

import org.jspecify.annotations.NullMarked;
