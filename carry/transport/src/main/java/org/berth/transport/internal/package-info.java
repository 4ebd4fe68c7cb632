/** The border to the C functions that LWJGL calls; not part of the API. */
@NullMarked
package org.berth.transport.internal;

import org.jspecify.annotations.NullMarked;
