/** What runs on the host beside a guest. */
@NullMarked
package org.berth.numavm.host;

import org.jspecify.annotations.NullMarked;
