package org.berth.cli.shared.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The scripts that start a service in the foreground, which does not end. */
public final class ServiceScripts {
    private static final Map<String, String> PRESETS = Map.of(
            "kafka-server-start.sh",
            "kafka",
            "kafka-server-start",
            "kafka",
            "cassandra",
            "cassandra",
            "elasticsearch",
            "elasticsearch",
            "taskmanager.sh",
            "flink",
            "standalone-job.sh",
            "flink");

    private ServiceScripts() {}

    /** The preset of thread rules for the service that a command starts; empty for any other command. */
    public static Optional<String> preset(List<String> command) {
        Path name = Path.of(command.get(0)).getFileName();
        return name == null ? Optional.empty() : Optional.ofNullable(PRESETS.get(name.toString()));
    }
}
