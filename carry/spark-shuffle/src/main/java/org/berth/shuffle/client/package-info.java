/**
 * Fetches blocks from other executors: one link for each peer, sinks in memory or in files, and Spark's own client for what the
 * transport does not bring.
 */
@NullMarked
package org.berth.shuffle.client;

import org.jspecify.annotations.NullMarked;
