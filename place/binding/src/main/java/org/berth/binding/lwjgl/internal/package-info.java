/** The border to LWJGL, which an ordinary class path has and the jars for engines hide; not part of the API. */
@NullMarked
package org.berth.binding.lwjgl.internal;

import org.jspecify.annotations.NullMarked;
