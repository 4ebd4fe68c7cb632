@NullMarked
package org.berth.spark;

import org.jspecify.annotations.NullMarked;
