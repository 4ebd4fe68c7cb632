package org.berth.cli.plan;

import java.util.List;
import java.util.Optional;
import org.berth.drawing.internal.text.Json;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;

/**
 * A plan as JSON with stable field names; sets are lists of kernel numbers such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-plan", "version": 1, "source": "live" | FILE | DESCRIPTION, "level", "memory",
 *   "allowedCpus": LIST, "oversubscribed": false, "workers": 2,
 *   "policy", "device" (both only for a policy near a device; "level" is then the one that binds about as tightly),
 *   "slots": [ { "index", "worker", "thread", "role", "cpus": LIST, "nodes": LIST, "reason" }, … ],
 *   "rules": [ { "glob", "role" }, … ], "choices": [ TEXT, … ], "notes": [ TEXT, … ] }
 * </pre>
 */
final class PlanJson {
    private PlanJson() {}

    static String render(PlacementPlan plan, Optional<DeviceChoice> device, String source, List<String> choices) {
        return Json.of(Json.object()
                .with("format", "berth-plan")
                .with("version", 1)
                .with("source", source)
                .with("level", plan.level().word())
                .with("policy", device.map(choice -> choice.policy().word()))
                .with("device", device.map(DeviceChoice::device))
                .with("memory", plan.memory().word())
                .with("allowedCpus", plan.allowed())
                .with("oversubscribed", plan.oversubscribed())
                .with("workers", plan.workers())
                .withEach("slots", plan.slots(), PlanJson::slot)
                .with("rules", plan.rules())
                .with("choices", choices)
                .with("notes", plan.notes()));
    }

    private static Json.Fields slot(Slot slot) {
        return Json.object()
                .with("index", slot.index())
                .with("worker", slot.worker())
                .with("thread", slot.thread())
                .with("role", slot.role())
                .with("cpus", slot.cpus())
                .with("nodes", slot.memoryNodes())
                .with("reason", slot.reason());
    }
}
