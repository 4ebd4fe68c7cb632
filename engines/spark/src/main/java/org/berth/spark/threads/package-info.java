/**
 * Threads of an executor that run no task (shuffle, RPC, collector, ...), and its Python workers.
 *
 * <p>Read {@code ServiceRole} (which thread is what), {@code ServiceSettings} and {@code ServicePlace} (what the user
 * wants), {@code ServicePlaces} (which CPUs that means, a pure function), then {@code ServiceThreads} and
 * {@code ServiceBindings}, which find the threads and bind them. {@code PythonWorkers} does the same for processes.
 */
@NullMarked
package org.berth.spark.threads;

import org.jspecify.annotations.NullMarked;
