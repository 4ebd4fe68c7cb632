package org.berth.hostile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A fuzzer that is a program of its own, for a part of the time, again and again. */
final class CommandWork implements Work {
    private static final int LAST_CHARACTERS = 800;

    private final List<String> command;
    private final Map<String, String> environment;
    private final Path output;

    CommandWork(Path output, Map<String, String> environment, List<String> command) {
        this.output = output;
        this.environment = environment;
        this.command = command;
    }

    @Override
    public void once(Row row) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            int code = process.waitFor();
            if (code == 77) {
                row.refused.incrementAndGet();
            } else if (code != 0) {
                String text = Files.readString(output, java.nio.charset.StandardCharsets.ISO_8859_1);
                row.wrong("exit code " + code + ": " + text.substring(Math.max(0, text.length() - LAST_CHARACTERS)));
            }
        } finally {
            List<ProcessHandle> children = process.descendants().toList();
            children.forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        // It has ended.
    }
}
