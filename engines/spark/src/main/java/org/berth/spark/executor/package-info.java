/**
 * The domain of an executor and the slots of its tasks.
 *
 * <p>Read {@code ExecutorShare} (how a host is divided) and {@code SlotTable} (which slot a task takes), both without side
 * effects, then {@code ExecutorHome} (lease, process and cpuset), {@code TaskPlaces} (threads of tasks), and
 * {@code ExecutorPlaces}, which has one of each. {@code WarmUp} delays the binding of tasks until the compilers are quiet.
 */
@NullMarked
package org.berth.spark.executor;

import org.jspecify.annotations.NullMarked;
