package org.berth.observation.internal.devices;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;

/** From a network interface down to the adapters, by /sys/class/net. */
record NetworkTrace(NetworkInterfaces interfaces) {
    DeviceTrace ofInterface(String subject, String name) {
        Reading<Boolean> there = interfaces.exists(name);
        if (!there.orElse(false)) {
            return DeviceTrace.none(
                    subject,
                    there.refusal()
                            .map(refusal -> notKnown(name, refusal))
                            .orElse("there is no interface " + name + " in /sys/class/net"));
        }
        List<DeviceTrace.Device> found = new ArrayList<>();
        Set<String> reasons = new LinkedHashSet<>();
        descend(name, List.of(), found, reasons);
        return new DeviceTrace(subject, found, found.isEmpty() ? String.join("; ", reasons) : "");
    }

    private void descend(String name, List<String> above, List<DeviceTrace.Device> found, Set<String> reasons) {
        if (above.contains(name)) {
            return;
        }
        Reading<List<String>> below = interfaces.lower(name);
        Reading<String> adapter = interfaces.adapter(name);
        List<String> lower = below.orElse(List.of());
        // A virtual function below the adapter of a hypervisor carries the data, so what is below comes first.
        if (lower.isEmpty() && adapter.value().isPresent()) {
            if (found.stream().noneMatch(known -> known.name().equals(name))) {
                found.add(new DeviceTrace.Device(name, above));
            }
            return;
        }
        if (lower.isEmpty()) {
            reasons.add(below.refusal()
                    .or(adapter::refusal)
                    .map(refusal -> notKnown(name, refusal))
                    .orElseGet(() -> why(name)));
            return;
        }
        List<String> layers = new ArrayList<>(above);
        layers.add(name);
        lower.forEach(one -> descend(one, layers, found, reasons));
    }

    private static String notKnown(String name, Refusal refusal) {
        return "the interface " + name + " is not known: " + refusal;
    }

    private String why(String name) {
        if (name.equals(NetworkInterfaces.LOOPBACK)) {
            return "it stays on this host (interface lo): no adapter takes part";
        }
        boolean peered = !interfaces.text(name, "iflink").equals(interfaces.text(name, "ifindex"));
        return peered
                ? "interface " + name + " is one end of a pair whose other end this network namespace does not show (a"
                        + " container): run it on the host"
                : "interface " + name + " is made by software, and no adapter is visible below it";
    }
}
