package org.berth.uploads;

import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@link Upload} and {@link Dfsio}, whose number of clients is fixed. */
abstract class FileOptions extends HdfsJobOptions {
    private static final int SCALE = 10;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "2",
            description = "Concurrent clients, each with its own file (default ${DEFAULT-VALUE}).")
    private int clients;

    FileOptions() {
        super(SCALE);
    }

    @Override
    List<Integer> clients() {
        return List.of(clients);
    }
}
