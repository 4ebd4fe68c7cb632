package org.berth.spark.executor;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.spark.conf.SparkKeys;
import org.berth.topology.CpuSet;

/**
 * The plan that {@code spark.berth.plan} names.
 *
 * @param table the slots of its tasks
 */
record PlanFile(AffinityLevel level, SlotTable table) {
    /**
     * Reads the plan and checks that this process may use all its task slots.
     *
     * @throws RuntimeException one line, when the file cannot be read, is not a plan, or has slots that this process may not use
     */
    static PlanFile open(String file, CpuSet allowed) {
        PlacementPlan plan = PlacementPlan.parse(read(file));
        List<Slot> slots = plan.slots().stream()
                .filter(slot -> slot.role().equals(Slot.TASK))
                .toList();
        if (slots.isEmpty()) {
            throw new IllegalStateException("the plan " + file + " has no slot with role " + Slot.TASK);
        }
        for (Slot slot : slots) {
            if (!allowed.containsAll(slot.cpus())) {
                throw new IllegalStateException("the plan " + file + " puts slot " + slot.index() + " on CPUs "
                        + slot.cpus() + ", and this process may use CPUs " + allowed
                        + " only; make the plan for this machine and process");
            }
        }
        return new PlanFile(plan.level(), SlotTable.of(plan.memory(), slots));
    }

    private static String read(String file) {
        String reason;
        if (Files.isDirectory(Path.of(file))) {
            throw unreadable(file, "it is a directory");
        }
        try {
            return Files.readString(Path.of(file));
        } catch (NoSuchFileException e) {
            reason = "there is no such file";
        } catch (AccessDeniedException e) {
            reason = "permission denied";
        } catch (IOException | IllegalArgumentException e) {
            reason = FailureText.of(e);
        }
        throw unreadable(file, reason);
    }

    private static IllegalStateException unreadable(String file, String reason) {
        return new IllegalStateException(
                "cannot read the plan " + file + ": " + reason + "; correct " + SparkKeys.PLAN);
    }
}
