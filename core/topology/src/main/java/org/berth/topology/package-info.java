@NullMarked
package org.berth.topology;

import org.jspecify.annotations.NullMarked;
