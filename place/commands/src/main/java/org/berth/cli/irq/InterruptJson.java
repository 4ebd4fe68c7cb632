package org.berth.cli.irq;

import java.util.List;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.text.Json;

/**
 * Interrupts and what was done to them as JSON with stable field names; sets are lists such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-interrupts", "version": 1,
 *   "devices": [ { "name", "kind": "disk" | "network", "hardware", "node" (left out when unknown), "localCpus",
 *     "handlingCpus", "reason",
 *     "interrupts": [ { "number", "action", "effective", "allowed", "count", "control", "transmitOnly" }, … ],
 *     "queues": [ { "role": "submit" | "receive" | "transmit", "index", "cpus" }, … ] }, … ],
 *   "moves": [ { "number", "device", "action", "from", "to", "result": "planned" | "moved" | "managed" | "failed",
 *     "problem" }, … ], "restored": [ TEXT, … ], "notes": [ TEXT, … ] }
 * </pre>
 */
final class InterruptJson {
    private InterruptJson() {}

    static String render(InterruptMap map, List<InterruptOutcome> outcomes, List<String> restored, List<String> notes) {
        return Json.of(Json.object()
                .with("format", "berth-interrupts")
                .with("version", 1)
                .withEach("devices", map.devices(), InterruptJson::device)
                .withEach("moves", outcomes, InterruptJson::move)
                .with("restored", restored)
                .with("notes", notes));
    }

    private static Json.Fields device(DeviceInterrupts device) {
        return Json.object()
                .with("name", device.name())
                .with("kind", device.kind())
                .with("hardware", device.hardware())
                .with("node", device.node())
                .with("localCpus", device.localCpus())
                .with("handlingCpus", device.handlingCpus())
                .with("reason", device.reason())
                .withEach("interrupts", device.interrupts(), InterruptJson::interrupt)
                .with("queues", device.queues());
    }

    private static Json.Fields interrupt(Interrupt interrupt) {
        return Json.object()
                .with("number", interrupt.number())
                .with("action", interrupt.action())
                .with("effective", interrupt.effective())
                .with("allowed", interrupt.allowed())
                .with("count", interrupt.count())
                .with("control", interrupt.control())
                .with("transmitOnly", interrupt.transmitOnly());
    }

    private static Json.Fields move(InterruptOutcome outcome) {
        Interrupt interrupt = outcome.move().interrupt();
        return Json.object()
                .with("number", interrupt.number())
                .with("device", outcome.move().device())
                .with("action", interrupt.action())
                .with("from", interrupt.effective())
                .with("to", outcome.move().to())
                .with("result", outcome.result())
                .with("problem", outcome.problem());
    }
}
