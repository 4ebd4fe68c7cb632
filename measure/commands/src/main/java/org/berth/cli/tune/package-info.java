/** {@code berth tune}: a race of many candidates, over {@code org.berth.experiments}. */
@NullMarked
package org.berth.cli.tune;

import org.jspecify.annotations.NullMarked;
