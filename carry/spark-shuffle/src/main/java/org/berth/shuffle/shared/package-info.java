/** Holds what client and server of the shuffle share: settings, messages, the numbers of a block, counts and threads. */
@NullMarked
package org.berth.shuffle.shared;

import org.jspecify.annotations.NullMarked;
