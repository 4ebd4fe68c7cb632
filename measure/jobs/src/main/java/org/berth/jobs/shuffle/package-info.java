/** Sorts and groups records on Spark with much data between the stages, and compares the ways that shuffle blocks can take. */
@NullMarked
package org.berth.jobs.shuffle;

import org.jspecify.annotations.NullMarked;
