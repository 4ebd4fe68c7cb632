@NullMarked
package org.berth.observation;

import org.jspecify.annotations.NullMarked;
