/** Runs a study, which is the same comparison for several workloads: {@code berth study}. Its kinds are affinity and collectors. */
@NullMarked
package org.berth.cli.study;

import org.jspecify.annotations.NullMarked;
