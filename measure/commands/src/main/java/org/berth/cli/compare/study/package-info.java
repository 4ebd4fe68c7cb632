/** Plans a study, which is the same comparison for several workloads, and finds the arms of a study of garbage collectors. */
@NullMarked
package org.berth.cli.compare.study;

import org.jspecify.annotations.NullMarked;
