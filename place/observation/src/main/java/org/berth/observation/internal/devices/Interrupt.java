package org.berth.observation.internal.devices;

import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.topology.CpuSet;

/**
 * One interrupt of a device. Immutable.
 *
 * @param number the kernel's number (IRQ)
 * @param action what the driver calls it: "virtio1-req.0", "nvme0q3", "eth0-TxRx-1"
 * @param effective where the kernel delivers it (effective_affinity_list, else smp_affinity_list); empty when it does not tell
 * @param allowed where it may be delivered (smp_affinity_list); empty when the kernel does not tell
 * @param countByCpu how many each CPU took since boot, by osIndex
 * @see <a href="https://docs.kernel.org/core-api/irq/irq-affinity.html">SMP IRQ affinity</a>
 * @since 0.1.0
 */
public record Interrupt(
        int number, String action, CpuSet effective, CpuSet allowed, SortedMap<Integer, Long> countByCpu) {
    // Configuration changes, admin queues and events come a few times a day, and no data comes with them.
    private static final Pattern CONTROL = Pattern.compile(
            ".*[-_:.](config|event|control|ctrl|misc|mgmnt|cmd|fdir|other|async)(@.*)?|nvme\\d+q0|mlx\\d_(async|cmd|pages).*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern TRANSMIT =
            Pattern.compile(".*([-_.]tx[-_.]?\\d*|output[-_.]?\\d*)(@.*)?", Pattern.CASE_INSENSITIVE);
    private static final Pattern QUEUE = Pattern.compile("[^@]*?(\\d+)(@.*)?");

    /** Whether it only signals the device's state: no data arrives with it. By the driver's name for it. */
    public boolean control() {
        return CONTROL.matcher(action).matches();
    }

    /** Whether it only signals that something was sent. By the driver's name for it. */
    public boolean transmitOnly() {
        return TRANSMIT.matcher(action).matches();
    }

    /** The number that ends the driver's name for it, mostly that of the queue; empty where there is none. */
    public OptionalInt queue() {
        Matcher queue = QUEUE.matcher(action);
        return queue.matches() && queue.group(1).length() < 7
                ? OptionalInt.of(Integer.parseInt(queue.group(1)))
                : OptionalInt.empty();
    }

    /** How many were taken since boot, by all CPUs together. */
    public long count() {
        return countByCpu.values().stream().mapToLong(Long::longValue).sum();
    }
}
