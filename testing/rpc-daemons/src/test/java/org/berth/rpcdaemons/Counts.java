package org.berth.rpcdaemons;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one process has counted of its servers' calls: Hadoop by port and method, whichever way they came, and Berth those
 * that came over the transport. Without the server that tasks of MapReduce call: they do so by Writables, over Hadoop's own
 * connections.
 *
 * @param methods calls by name, without the questions for the transport
 * @param served calls of the transport
 */
record Counts(Map<String, Long> methods, long served) {
    private static final String METHOD_OF_TASKS = "GetTaskNumOps";

    /** The counts of all processes that wrote some. */
    static List<Counts> read(Path folder) throws IOException {
        List<Counts> all = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "*.counts")) {
            for (Path file : files) {
                all.add(of(Files.readAllLines(file)));
            }
        }
        return all;
    }

    private static Counts of(List<String> lines) {
        Map<String, Long> methods = new TreeMap<>();
        Set<String> portsOfTasks = lines.stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[2].equals(METHOD_OF_TASKS))
                .map(words -> words[1])
                .collect(Collectors.toSet());
        long served = 0;
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            String name = words[2];
            if (words[0].equals("BerthRpc") && name.equals("CallsServed")) {
                served = Long.parseLong(words[3]);
            } else if (words[0].equals("rpcdetailed")
                    && !portsOfTasks.contains(words[1])
                    && name.endsWith("NumOps")
                    && !name.startsWith("Overall")
                    && !name.startsWith("Deferred")
                    && !name.startsWith("BerthTransport")) {
                methods.merge(name.replace("NumOps", ""), Long.parseLong(words[3]), Long::sum);
            }
        }
        return new Counts(methods, served);
    }

    long calls(String method) {
        return methods.getOrDefault(method, 0L);
    }

    /** Calls that Hadoop's own connections brought. */
    long stock() {
        return methods.values().stream().mapToLong(Long::longValue).sum() - served;
    }
}
