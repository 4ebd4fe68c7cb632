/** {@code berth compare}: runs the same work under several arms and reports the differences. */
@NullMarked
package org.berth.cli.compare;

import org.jspecify.annotations.NullMarked;
