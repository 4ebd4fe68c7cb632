/**
 * Reads what a process and its threads do from {@code /proc}: a {@code ThreadSampler} takes samples of threads, {@code ProcessStatus}
 * tells what the kernel says of one of them, and {@code SystemFiles} reads the small files of the kernel, whose answer is a {@code
 * Reading}: a value, that this machine does not have it, or a {@code Refusal} with its reason. The packages below add up samples and
 * read memory, JVMs, processes, the kernel's settings, devices and load.
 */
@NullMarked
package org.berth.observation;

import org.jspecify.annotations.NullMarked;
