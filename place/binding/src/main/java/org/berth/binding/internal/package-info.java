/**
 * Holds the native boundary: the functions of libberth.so, the names of error numbers and processor architectures, and the list of
 * libraries that this process has mapped. It is no part of the API.
 */
@NullMarked
package org.berth.binding.internal;

import org.jspecify.annotations.NullMarked;
