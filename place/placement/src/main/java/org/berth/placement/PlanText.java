package org.berth.placement;

/**
 * Writes a plan as text, the contract between Java and the native agent. UTF-8, one item a line, in a fixed order, no
 * escapes; what runs to the end of a line may hold spaces.
 *
 * <pre>
 * berth-plan 1
 * level core
 * memory local
 * allowed 0-15
 * oversubscribed no
 * note free text
 * rule role=task glob=Executor task launch worker*
 * slot index=0 worker=0 thread=0 role=task cpus=0,8 nodes=0 reason=core L#0 (PUs 0,8) of package L#0
 * </pre>
 */
final class PlanText {
    static final String MAGIC = "berth-plan";
    static final int VERSION = 1;

    private PlanText() {}

    static String write(PlacementPlan plan) {
        StringBuilder text = new StringBuilder(128 + 96 * plan.slots().size());
        text.append(MAGIC).append(' ').append(VERSION).append('\n');
        text.append("level ").append(plan.level().word()).append('\n');
        text.append("memory ").append(plan.memory().word()).append('\n');
        text.append("allowed ").append(plan.allowed()).append('\n');
        text.append("oversubscribed ")
                .append(plan.oversubscribed() ? "yes" : "no")
                .append('\n');
        for (String note : plan.notes()) {
            text.append("note ").append(note).append('\n');
        }
        for (ThreadRule rule : plan.rules()) {
            text.append("rule role=").append(rule.role());
            text.append(" glob=").append(rule.glob()).append('\n');
        }
        for (Slot slot : plan.slots()) {
            text.append("slot index=").append(slot.index());
            text.append(" worker=").append(slot.worker());
            text.append(" thread=").append(slot.thread());
            text.append(" role=").append(slot.role());
            text.append(" cpus=").append(slot.cpus());
            text.append(" nodes=").append(slot.memoryNodes());
            text.append(" reason=").append(slot.reason()).append('\n');
        }
        return text.toString();
    }
}
