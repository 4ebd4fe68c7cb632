package org.berth.spark.status;

import java.util.ArrayList;
import java.util.List;
import org.berth.spark.executor.ExecutorPlaces;
import org.berth.spark.executor.TaskPlaces;
import org.berth.spark.threads.ServiceThreads;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/** What an executor tells the driver of its places, at one moment. */
public final class PlacesReport {
    private PlacesReport() {}

    /** May be called by any thread. */
    public static StatusPlaces of(ExecutorPlaces places, long bindFailures) {
        TaskPlaces tasks = places.tasks();
        List<ExecutorStatus.TaskSlot> slots = tasks == null ? List.of() : slots(places, tasks);
        CpuSet cpus = places.planned() && tasks != null
                ? tasks.units().stream().reduce(CpuSet.empty(), CpuSet::union)
                : places.cpus();
        List<String> notes = new ArrayList<>(places.notes());
        List<ExecutorStatus.ServiceThread> threads = new ArrayList<>();
        ServiceThreads services = places.threads();
        if (services != null) {
            notes.addAll(services.notes());
            services.bound()
                    .forEach(thread -> threads.add(new ExecutorStatus.ServiceThread(
                            thread.role(), thread.name(), thread.cpus().toString())));
        }
        return new StatusPlaces(
                places.level().word(),
                places.reason(),
                cpus,
                near(places, cpus),
                slots,
                tasks == null ? 0 : tasks.tasks(),
                tasks == null ? 0 : tasks.shared(),
                tasks == null ? 0 : tasks.rebinds(),
                bindFailures,
                threads,
                notes);
    }

    private static List<ExecutorStatus.TaskSlot> slots(ExecutorPlaces places, TaskPlaces tasks) {
        List<CpuSet> units = tasks.units();
        List<List<Long>> running = new ArrayList<>();
        units.forEach(unit -> running.add(new ArrayList<>()));
        for (TaskPlaces.Running task : tasks.running()) {
            for (int unit = 0; unit < units.size(); unit++) {
                // Of CPUs that Spark gave there is no account.
                if (task.units().contains(unit)
                        || (task.units().isEmpty() && task.cpus().intersects(units.get(unit)))) {
                    running.get(unit).add(task.taskId());
                }
            }
        }
        List<ExecutorStatus.TaskSlot> slots = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            CpuSet cpus = units.get(unit);
            slots.add(new ExecutorStatus.TaskSlot(
                    unit, cpus.toString(), near(places, cpus).toString(), running.get(unit)));
        }
        return slots;
    }

    private static NodeSet near(ExecutorPlaces places, CpuSet cpus) {
        Topology topology = places.topology();
        return topology.nodesNear(cpus).intersection(topology.allowedNodeSet());
    }
}
