/** Real jobs next to hostile users, peers and JVMs, until an end that {@code tools/hostile} is given. */
@NullMarked
package org.berth.hostile;

import org.jspecify.annotations.NullMarked;
