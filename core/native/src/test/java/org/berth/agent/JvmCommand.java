package org.berth.agent;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** How a JVM with the {@link Probe} is started. */
record JvmCommand(Jdk jdk, List<String> prefix, List<String> options, Map<String, String> environment) {
    static JvmCommand of(Jdk jdk) {
        return new JvmCommand(jdk, List.of(), List.of(), Map.of());
    }

    JvmCommand under(String... command) {
        return new JvmCommand(jdk, List.of(command), options, environment);
    }

    JvmCommand with(String... more) {
        List<String> all = Stream.concat(options.stream(), Stream.of(more)).toList();
        return new JvmCommand(jdk, prefix, all, environment);
    }

    JvmCommand withAgent(String agentOptions) {
        return with(Built.agent(agentOptions));
    }

    JvmCommand environment(String name, String value) {
        Map<String, String> all = new HashMap<>(environment);
        all.put(name, value);
        return new JvmCommand(jdk, prefix, options, all);
    }

    Jvm start() throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(jdk.tool("java"));
        command.addAll(options);
        command.addAll(program());
        return start(command);
    }

    /** The class path and main class, for a command line that is put together otherwise. */
    static List<String> program() {
        return List.of("-XX:TieredStopAtLevel=1", "-cp", testClasses(), Probe.class.getName());
    }

    static String testClasses() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith("test-classes"))
                .findFirst()
                .orElseThrow();
    }

    Jvm start(List<String> command) throws IOException {
        Path errors = Files.createTempFile("berth-agent-test", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        builder.environment().putAll(environment);
        return new Jvm(builder.start(), errors);
    }
}
