package org.berth.spark.status;

import java.util.ArrayList;
import java.util.List;
import org.berth.binding.internal.guard.GuardedSlots;
import org.berth.spark.executor.ExecutorBinding;
import org.berth.spark.executor.TaskBinder;
import org.berth.spark.threads.SparkServiceThreads;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * The bindings of an executor at one moment; {@link StatusBuilder} adds the kernel's counters. Immutable. The components
 * are those of {@link ExecutorStatus}.
 *
 * @param cpus the executor's domain; empty when it is not known
 * @param nodes the memory nodes of the domain; empty when the machine names none
 */
public record BindingStatus(
        String level,
        String reason,
        CpuSet cpus,
        NodeSet nodes,
        List<ExecutorStatus.SlotStatus> slots,
        long tasks,
        long shared,
        long rebinds,
        long bindFailures,
        long widenings,
        List<ExecutorStatus.ServiceThread> threads,
        List<String> notes) {

    public BindingStatus {
        slots = List.copyOf(slots);
        threads = List.copyOf(threads);
        notes = List.copyOf(notes);
    }

    /** The status of an executor that binds nothing. */
    public static BindingStatus none(String reason) {
        return new BindingStatus(
                "none",
                reason,
                CpuSet.empty(),
                NodeSet.empty(),
                List.of(),
                0,
                0,
                0,
                0,
                0,
                List.of(),
                reason.isEmpty() ? List.of() : List.of(reason));
    }

    /**
     * The bindings at this moment; any thread may call it.
     */
    public static BindingStatus of(ExecutorBinding binding, long bindFailures) {
        TaskBinder tasks = binding.tasks();
        CpuSet cpus = binding.planned() && tasks != null
                ? tasks.slots().stream().reduce(CpuSet.empty(), CpuSet::union)
                : binding.cpus();
        List<String> notes = new ArrayList<>(binding.notes());
        GuardedSlots guard = binding.guard();
        List<ExecutorStatus.ServiceThread> threads = List.of();
        SparkServiceThreads services = binding.threads();
        if (services != null) {
            notes.addAll(services.notes());
            threads = services.bound().stream()
                    .map(thread -> new ExecutorStatus.ServiceThread(
                            thread.role(), thread.name(), thread.cpus().toString()))
                    .toList();
        }
        return new BindingStatus(
                binding.level().word(),
                binding.reason(),
                cpus,
                near(binding, cpus),
                tasks == null ? List.of() : slots(binding, tasks),
                tasks == null ? 0 : tasks.tasks(),
                tasks == null ? 0 : tasks.shared(),
                tasks == null ? 0 : tasks.rebinds(),
                bindFailures,
                guard == null ? 0 : guard.widenings(),
                threads,
                notes);
    }

    private static List<ExecutorStatus.SlotStatus> slots(ExecutorBinding binding, TaskBinder tasks) {
        List<TaskBinder.RunningTask> running = tasks.running();
        List<ExecutorStatus.SlotStatus> slots = new ArrayList<>();
        for (CpuSet cpus : tasks.slots()) {
            int index = slots.size();
            List<Long> here = running.stream()
                    .filter(task -> task.occupies(index, cpus))
                    .map(TaskBinder.RunningTask::taskId)
                    .toList();
            slots.add(new ExecutorStatus.SlotStatus(
                    index, cpus.toString(), near(binding, cpus).toString(), here));
        }
        return slots;
    }

    private static NodeSet near(ExecutorBinding binding, CpuSet cpus) {
        Topology topology = binding.topology();
        return topology.nodesOf(cpus).intersection(topology.allowedNodeSet());
    }
}
