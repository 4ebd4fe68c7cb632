package org.berth.cli.status;

import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.jvm.ProgramName;
import org.berth.text.Json;

/**
 * Processes as JSON with stable field names; sets are lists of kernel numbers such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-status", "version": 1,
 *   "processes": [ { "pid", "user", "name", "command": TEXT, "threads", "cpus": LIST,
 *     "masks": [ { "cpus": LIST, "count" }, … ], "nearNodes": LIST, "policy": TEXT, "bytesByNode": { "0": 1048576, … },
 *     "remoteShare": 0.25, "lease": { "domain", "name", "cpus": LIST, "nodes": LIST, "exclusive" }, "boundBy": TEXT }, … ] }
 * </pre>
 *
 * <p>What is not known, and a lease that there is not, is left out; "memoryUnknown": TEXT gives the reason for bytesByNode and
 * remoteShare.
 */
final class StatusJson {
    private StatusJson() {}

    static String render(List<ProcessState> processes) {
        return Json.of(Json.object()
                .with("format", "berth-status")
                .with("version", 1)
                .withEach("processes", processes, StatusJson::process));
    }

    private static Json.Fields process(ProcessState one) {
        return Json.object()
                .with("pid", one.pid())
                .with("user", one.user())
                .with("name", ProgramName.of(one.facts()))
                .with("command", String.join(" ", one.facts().arguments()))
                .with("threads", one.facts().masks().size())
                .with("cpus", one.facts().cpus())
                .withEach(
                        "masks",
                        one.masks().entrySet(),
                        mask -> Json.object().with("cpus", mask.getKey()).with("count", mask.getValue()))
                .with("nearNodes", one.near())
                .with("policy", one.policy().value())
                .with(
                        "bytesByNode",
                        one.memory().map(memory -> memory.bytesByNode()).value())
                .with("remoteShare", one.remoteShare())
                .with("memoryUnknown", Optional.of(one.memory().reason()).filter(reason -> !reason.isEmpty()))
                .with(
                        "lease",
                        one.lease()
                                .map(lease -> Json.object()
                                        .with("domain", lease.domain())
                                        .with("name", lease.name())
                                        .with("cpus", lease.cpus())
                                        .with("nodes", lease.memoryNodes())
                                        .with("exclusive", lease.exclusive())))
                .with(
                        "boundBy",
                        Optional.of(one.boundBy())
                                .filter(by -> by != BoundBy.UNKNOWN)
                                .map(BoundBy::word));
    }
}
