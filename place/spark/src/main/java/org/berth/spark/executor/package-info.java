/**
 * The domain of an executor and the slots of its tasks.
 *
 * <p>Read {@code SlotTable} (which slot a task gets) and {@code HostDivision} of berth-placement, which touch nothing,
 * then {@code ExecutorDomain} (lease, process and cpuset), {@code TaskBinder} (threads of tasks) and
 * {@code ExecutorBinding}, which has one of each. {@code GuardedSlots} widens the slots while they cost
 * more than they gain.
 */
@NullMarked
package org.berth.spark.executor;

import org.jspecify.annotations.NullMarked;
