/** The native boundary; not part of the API. */
@NullMarked
package org.berth.binding.internal;

import org.jspecify.annotations.NullMarked;
