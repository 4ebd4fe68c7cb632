/** Tests of where pages are on several nodes. */
@NullMarked
package org.berth.numavm.memory;

import org.jspecify.annotations.NullMarked;
