/** What Berth's modules share, and no part of the API. */
@NullMarked
package org.berth.observation.internal;

import org.jspecify.annotations.NullMarked;
