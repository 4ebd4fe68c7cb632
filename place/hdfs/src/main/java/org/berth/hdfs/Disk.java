package org.berth.hdfs;

import org.berth.placement.internal.dynamic.InterruptReference;

/**
 * The disk below a volume.
 *
 * @param volume path of the volume
 * @param device the kernel's name, "nvme0n1", several joined by "+"; "?" when it was not found
 * @param interrupts the CPUs that handle its interrupts, and those that it is near
 */
record Disk(String volume, String device, InterruptReference interrupts) {}
