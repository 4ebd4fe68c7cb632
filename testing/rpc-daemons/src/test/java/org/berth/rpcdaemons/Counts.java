package org.berth.rpcdaemons;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one process has counted of its servers' calls: Hadoop by port and method, whichever way they came, and Berth those
 * that came over the transport.
 *
 * @param methods calls by name, without the questions for the transport
 * @param served calls of the transport
 */
record Counts(Map<String, Long> methods, long served) {
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
        long served = 0;
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            String name = words[2];
            if (words[0].equals("BerthRpc") && name.equals("CallsServed")) {
                served = Long.parseLong(words[3]);
            } else if (words[0].equals("rpcdetailed")
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
