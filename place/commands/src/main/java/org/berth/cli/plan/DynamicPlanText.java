package org.berth.cli.plan;

import java.util.List;
import org.berth.drawing.internal.interrupts.InterruptTable;
import org.berth.placement.internal.dynamic.AffinityClass;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.ServiceCore;
import org.berth.text.TextTable;
import org.berth.text.WordWrap;
import org.berth.topology.CpuSet;

/** Classes of cores and decisions, for people. A pure function. */
final class DynamicPlanText {
    private static final int CLASS_WIDTH = 8;

    private DynamicPlanText() {}

    static String render(DynamicPlan plan, String policy, int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(
                out, "", "Policy " + policy + ": " + plan.placement().policy().meaning() + ".", columns);
        addReference(out, "Disk:    ", plan.disk(), columns);
        addReference(out, "Network: ", plan.network(), columns);
        CpuSet busy = plan.load().online().minus(plan.load().idle());
        WordWrap.append(
                out,
                "Load:    ",
                (busy.isEmpty() ? "every CPU is idle" : InterruptTable.cpus(busy) + " busy")
                        + (plan.measured() ? ", measured now" : ", given"),
                columns);
        out.append('\n').append(TextTable.pad("CLASS", CLASS_WIDTH)).append("CPUS (IDLE)\n");
        for (AffinityClass kind : AffinityClass.values()) {
            addClass(out, plan, kind, columns);
        }
        out.append('\n');
        for (int from = 0; from < plan.decisions().size(); ) {
            int to = from;
            while (to + 1 < plan.decisions().size() && same(plan.decisions(), from, to + 1)) {
                to++;
            }
            String threads = from == to ? "Thread " + from : "Threads " + from + "-" + to;
            WordWrap.append(out, threads + ": ", plan.decisions().get(from).words(), columns);
            from = to + 1;
        }
        for (String note : plan.placement().notes()) {
            WordWrap.append(out, "Note: ", note, columns);
        }
        return out.toString();
    }

    private static boolean same(List<Decision> decisions, int one, int other) {
        return decisions.get(one).words().equals(decisions.get(other).words());
    }

    private static void addReference(StringBuilder out, String start, DynamicOptions.Reference device, int columns) {
        String where = device.interrupts().handlingCpus().isEmpty()
                ? "the CPUs that handle its interrupts are unknown"
                : "interrupts handled on "
                        + InterruptTable.cpus(device.interrupts().handlingCpus());
        WordWrap.append(out, start, device.name().isEmpty() ? "not named" : device.name() + ", " + where, columns);
    }

    private static void addClass(StringBuilder out, DynamicPlan plan, AffinityClass kind, int columns) {
        CpuSet cpus = CpuSet.empty();
        for (ServiceCore core : plan.placement().cores(kind)) {
            cpus = cpus.union(core.cpus());
        }
        CpuSet idle = cpus.intersection(plan.load().idle());
        boolean avoided = kind == AffinityClass.NS && plan.placement().policy() == DynamicPolicy.INTERRUPT;
        String never = avoided && !cpus.isEmpty() ? ", never chosen" : "";
        String free = idle.isEmpty() ? "none" : idle.equals(cpus) ? "all" : idle.toString();
        WordWrap.append(
                out,
                TextTable.pad(kind.label(), CLASS_WIDTH),
                cpus.isEmpty() ? "-" : cpus + " (" + free + ")" + never,
                columns);
    }
}
