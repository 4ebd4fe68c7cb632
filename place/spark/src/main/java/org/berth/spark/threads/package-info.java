/**
 * Threads of an executor that run no task (shuffle, RPC, collector and others), and its Python workers.
 *
 * <p>Read {@code ServiceRole} (which thread is what), {@code ServiceSettings} and {@code ServiceTarget} (what the user
 * wants) and {@code ServiceSlots} (which CPUs that means, a pure function), then {@code SparkServiceThreads} and
 * {@code ServiceBinder}, which find the threads and bind them. {@code PythonWorkers} does the same for processes.
 */
@NullMarked
package org.berth.spark.threads;

import org.jspecify.annotations.NullMarked;
