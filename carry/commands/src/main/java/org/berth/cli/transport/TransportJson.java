package org.berth.cli.transport;

import java.util.List;
import org.berth.text.Json;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.transport.ProviderStatus;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.HostFacts;
import org.berth.transport.host.NetworkDevice;
import org.berth.transport.settings.Tuning;

/**
 * Adapters and parameters as JSON with stable field names. Version 1:
 *
 * <pre>
 * { "format": "berth-transport-devices", "version": 1,
 *   "devices": [ { "name", "rdma" ("" without), "softRdma", "physical", "up", "megabits" (0 when unknown), "node" (-1 when
 *     unknown), "nearCpus", "defaultRoute" }, … ],
 *   "taken" ("" when none), "reason", "providers": [ { "name", "works", "detail" }, … ] }
 * { "format": "berth-transport-tuning", "version": 1, "architecture", "cpus", "device",
 *   "parameters": [ { "key", "value", "origin", "variable", "meaning" }, … ] }
 * </pre>
 */
final class TransportJson {
    private TransportJson() {}

    static String devices(
            List<NetworkDevice> devices, AdapterChoice choice, Topology topology, List<ProviderStatus> providers) {
        return Json.of(Json.object()
                .with("format", "berth-transport-devices")
                .with("version", 1)
                .withEach("devices", devices, device -> device(device, topology))
                .with("taken", choice.device().map(NetworkDevice::name).orElse(""))
                .with("reason", choice.reason())
                .withEach(
                        "providers",
                        providers,
                        provider -> Json.object()
                                .with("name", provider.name())
                                .with("works", provider.works())
                                .with("detail", provider.detail())));
    }

    private static Json.Fields device(NetworkDevice device, Topology topology) {
        return Json.object()
                .with("name", device.name())
                .with("rdma", device.rdma().orElse(""))
                .with("softRdma", device.softRdma())
                .with("physical", device.physical())
                .with("up", device.up())
                .with("megabits", device.megabits())
                .with("node", device.node())
                .with("nearCpus", TransportText.nearCpus(device, topology).orElseGet(CpuSet::empty))
                .with("defaultRoute", device.defaultRoute());
    }

    static String tuning(HostFacts host, List<Tuning.Tuned> tuned) {
        return Json.of(Json.object()
                .with("format", "berth-transport-tuning")
                .with("version", 1)
                .with("architecture", host.architecture())
                .with("cpus", host.cpus())
                .with("device", host.device())
                .withEach(
                        "parameters",
                        tuned,
                        one -> Json.object()
                                .with("key", one.parameter().key())
                                .with("value", one.value())
                                .with("origin", one.origin())
                                .with("variable", one.parameter().variable())
                                .with("meaning", one.parameter().meaning())));
    }
}
