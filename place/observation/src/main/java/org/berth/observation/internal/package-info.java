/** Shared by Berth's modules; not part of the API. */
@NullMarked
package org.berth.observation.internal;

import org.jspecify.annotations.NullMarked;
