package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import org.berth.binding.LocalMachine;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.topology.Topology;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: all that a report of a fault must name. */
final class VersionLines implements IVersionProvider {
    /** The {@code berth} script knows it: of the checkout that it lies in, or of the archive that it was packed into. */
    private static final String COMMIT = "org.berth.commit";

    @Override
    public String[] getVersion() {
        List<String> lines = new ArrayList<>();
        lines.add("berth " + Main.VERSION);
        lines.add("commit: " + commit());
        lines.add("JRE: " + System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor")
                + ") in " + System.getProperty("java.home"));
        lines.add("hwloc: " + hwloc());
        lines.add("architecture: " + System.getProperty("os.arch") + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.version"));
        lines.addAll(limits());
        return lines.toArray(String[]::new);
    }

    /** What does not work in this place: in a container, on one node, on another kernel. */
    private static List<String> limits() {
        try {
            List<String> limits = LocalMachine.open().capabilities().capabilities().stream()
                    .filter(capability -> !capability.available())
                    .map(capability -> "limited here: " + capability.name() + ": " + capability.reason())
                    .toList();
            return limits.isEmpty() ? List.of("limited here: nothing") : limits;
        } catch (BindingException e) {
            return List.of("limited here: binding: " + e.getMessage());
        }
    }

    private static String commit() {
        String commit = System.getProperty(COMMIT, "");
        return commit.isEmpty() ? "unknown (it was not started by the script 'berth', or git is missing)" : commit;
    }

    /** The library writes its version into each topology; the smallest one takes a millisecond, this machine's 100. */
    private static String hwloc() {
        try {
            Topology smallest = Discovery.synthetic("pu:1");
            String version = smallest.infos().getOrDefault("hwlocVersion", "");
            if (version.isEmpty()) {
                version = smallest.root().infos().getOrDefault("hwlocVersion", "");
            }
            return version.isEmpty() ? "API 0x" + Integer.toHexString(Discovery.hwlocApiVersion()) : version;
        } catch (BindingException e) {
            return "not available: " + e.getMessage();
        }
    }
}
