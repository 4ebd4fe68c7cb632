/** Serves the blocks of an executor to the other executors of its application. */
@NullMarked
package org.berth.shuffle.server;

import org.jspecify.annotations.NullMarked;
