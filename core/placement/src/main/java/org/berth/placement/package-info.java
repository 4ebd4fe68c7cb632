@NullMarked
package org.berth.placement;

import org.jspecify.annotations.NullMarked;
