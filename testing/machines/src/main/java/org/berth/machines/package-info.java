@NullMarked
package org.berth.machines;

import org.jspecify.annotations.NullMarked;
