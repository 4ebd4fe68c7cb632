package org.berth.hdfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Threads of another process, by jcmd (whole names) and /proc (masks): nothing of what is tested takes part. */
final class Tasks {
    /** The kernel's id is hexadecimal on 17 and decimal on 25. */
    private static final Pattern THREAD = Pattern.compile("^\"(.*)\" .*nid=(0x[0-9a-f]+|[0-9]+) .*");

    private Tasks() {}

    /** Kernel's thread ids by whole name. */
    static Map<String, Integer> names(ProcessHandle process) throws IOException, InterruptedException {
        // Into a file: from 25 on a JVM writes while its threads stand still, also the one that would read what it
        // writes itself.
        Path output = Files.createTempFile("berth-threads-", ".txt");
        Map<String, Integer> names = new HashMap<>();
        try {
            new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/jcmd", Long.toString(process.pid()), "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start()
                    .waitFor();
            for (String line : Files.readAllLines(output, StandardCharsets.UTF_8)) {
                Matcher thread = THREAD.matcher(line);
                if (thread.matches()) {
                    names.put(thread.group(1), Integer.decode(thread.group(2)));
                }
            }
        } finally {
            Files.delete(output);
        }
        if (names.isEmpty()) {
            throw new AssertionError("jcmd shows no threads of " + process.pid());
        }
        return names;
    }

    /** Cpus_allowed_list of a thread; empty when it has ended. */
    static String mask(ProcessHandle process, int tid) {
        return mask(Path.of("/proc", Long.toString(process.pid()), "task", Integer.toString(tid), "status"));
    }

    static String mask(Path status) {
        List<String> lines;
        try {
            lines = Files.readAllLines(status, StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
        String key = "Cpus_allowed_list:";
        return lines.stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).strip())
                .findFirst()
                .orElseThrow();
    }
}
