/**
 * What the two sides of Hadoop RPC over Berth's transport share, without Hadoop's own classes of calls: settings, the
 * process' engines, one-time tokens, the client's connection and counters.
 */
@NullMarked
package org.berth.rpc.link;

import org.jspecify.annotations.NullMarked;
