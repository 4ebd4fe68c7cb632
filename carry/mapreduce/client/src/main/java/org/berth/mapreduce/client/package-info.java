/** What all drivers of MapReduce jobs share: the provider for Hadoop's client, the life of a job, the records of its tasks. */
@NullMarked
package org.berth.mapreduce.client;

import org.jspecify.annotations.NullMarked;
