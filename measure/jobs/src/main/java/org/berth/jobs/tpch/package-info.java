/** Generates the data of the TPC-H benchmark and runs its queries on Spark. */
@NullMarked
package org.berth.jobs.tpch;

import org.jspecify.annotations.NullMarked;
