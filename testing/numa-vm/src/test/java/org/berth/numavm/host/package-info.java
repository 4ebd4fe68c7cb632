/** The programs that run on the host next to a guest. */
@NullMarked
package org.berth.numavm.host;

import org.jspecify.annotations.NullMarked;
