/**
 * What executors tell the driver. Everything here runs beside the tasks and may fail without consequence for them.
 *
 * <p>Read {@code ExecutorStatus} (the message), {@code StatusBuilder} (where its numbers come from) and
 * {@code StatusSender} on the executor's side; {@code StatusBook} and {@code UiView} on the driver's.
 */
@NullMarked
package org.berth.spark.status;

import org.jspecify.annotations.NullMarked;
