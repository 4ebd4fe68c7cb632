/**
 * What executors report to the driver. A failure here has no consequence for tasks.
 *
 * <p>Read {@code ExecutorStatus} (the message), {@code BindingStatus} and {@code StatusSampler} (its sources), {@code
 * StatusBuilder} and {@code StatusSender} on the executor's side, then {@code StatusBook} and {@code ClusterStatus} on
 * the driver's.
 */
@NullMarked
package org.berth.spark.status;

import org.jspecify.annotations.NullMarked;
