/**
 * What the command and the engines report about words that nothing reads. Not part of the API: it may change in any
 * release.
 */
@NullMarked
package org.berth.placement.internal;

import org.jspecify.annotations.NullMarked;
