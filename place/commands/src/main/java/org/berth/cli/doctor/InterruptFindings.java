package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.observation.internal.devices.InterruptCounts;
import org.berth.topology.CpuSet;

/** Whether devices interrupt the CPUs that a process is bound to. A pure function. */
final class InterruptFindings {
    private static final int SHOWN = 3;

    /** An interrupt takes some microseconds, so 1000 per second are below 1 % of a CPU. */
    private static final double MANY_PER_SECOND = 1000;

    private InterruptFindings() {}

    static Finding of(List<InterruptCounts.Arrival> arrivals, CpuSet cpus, double seconds) {
        double rate =
                arrivals.stream().mapToLong(InterruptCounts.Arrival::count).sum() / seconds;
        List<String> parts = new ArrayList<>();
        for (InterruptCounts.Arrival arrival : arrivals.subList(0, Math.min(SHOWN, arrivals.size()))) {
            String to = arrival.effective().map(set -> ", delivered to " + set).orElse("");
            parts.add("IRQ " + arrival.number() + " " + arrival.name().replaceAll("\\s+", " ") + " "
                    + Math.round(arrival.count() / seconds) + "/s" + to);
        }
        String read = String.format(Locale.ROOT, "%.0f device interrupts per second on CPUs %s", rate, cpus)
                + (parts.isEmpty() ? "" : ": " + String.join("; ", parts));
        return rate > MANY_PER_SECOND
                ? Finding.warning(
                        "interrupts",
                        read,
                        "move them: echo LIST > /proc/irq/NUMBER/smp_affinity_list (as root; irqbalance may undo"
                                + " it), or bind near the device on purpose (--near)")
                : Finding.ok("interrupts", read);
    }
}
