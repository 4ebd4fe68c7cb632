package org.berth.observation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** From a network interface down to the adapters, by /sys/class/net. */
record NetworkTrace(SystemFiles files) {
    private static final String NET = "sys/class/net/";
    private static final String LOWER = "lower_";

    DeviceTrace ofInterface(String subject, String name) {
        Optional<String> missing = files.real(NET + name)
                .fold(
                        there -> Optional.empty(),
                        absent -> Optional.of("there is no interface " + name + " in /sys/class/net"),
                        refusal -> Optional.of("the interface " + name + " is not known: " + refusal));
        if (missing.isPresent()) {
            return DeviceTrace.none(subject, missing.get());
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
        // Bonds, teams, VLANs, bridges and macvlans link to what is below them.
        List<String> lower = files.names(NET + name).orElse(List.of()).stream()
                .filter(entry -> entry.startsWith(LOWER))
                .map(entry -> entry.substring(LOWER.length()))
                .toList();
        // A virtual function below the adapter of a hypervisor carries the data, so what is below comes first.
        if (lower.isEmpty() && files.exists(NET + name + "/device")) {
            if (found.stream().noneMatch(known -> known.name().equals(name))) {
                found.add(new DeviceTrace.Device(name, above));
            }
            return;
        }
        if (lower.isEmpty()) {
            reasons.add(why(name));
            return;
        }
        List<String> layers = new ArrayList<>(above);
        layers.add(name);
        lower.forEach(below -> descend(below, layers, found, reasons));
    }

    private String why(String name) {
        if (name.equals("lo")) {
            return "it stays on this host (interface lo): no adapter takes part";
        }
        boolean peered = !files.read(NET + name + "/iflink").equals(files.read(NET + name + "/ifindex"));
        return peered
                ? "interface " + name + " is one end of a pair whose other end this network namespace does not show (a"
                        + " container): look from the host"
                : "interface " + name + " is made by software, and no adapter is seen below it";
    }
}
