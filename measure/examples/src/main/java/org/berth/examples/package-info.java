/** Hadoop's own MapReduce examples as jobs to compare engines with. */
@NullMarked
package org.berth.examples;

import org.jspecify.annotations.NullMarked;
