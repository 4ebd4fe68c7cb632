package org.berth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.text.ShellWord;
import org.berth.topology.CpuSet;

/** The CLI as a process of its own, started by a stand-in for the berth script: the same contract, no build. */
public final class CliProcess implements AutoCloseable {
    private static final String SCRIPT = """
            #!/usr/bin/env bash
            set -euo pipefail
            command=(@JAVA@ -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp @CLASSPATH@ org.berth.cli.Main "$@")
            [[ $1 == run || "$*" == "split "*" --only "*" -- "* ]] || exec "${command[@]}"
            launch=$(mktemp)
            status=0
            BERTH_LAUNCH_FILE=$launch "${command[@]}" </dev/null || status=$?
            mapfile -d '' -t words <"$launch"
            rm -f "$launch"
            ((status == 0 && ${#words[@]} > 0)) || exit "$status"
            while [[ ${words[0]} == env ]]; do
              export "${words[1]}"
              words=("${words[@]:2}")
            done
            exec "${words[@]:1}"
            """;
    public static final String JAVA = ChildJvm.JAVA.toString();
    public static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Child child;

    private CliProcess(Child child) {
        this.child = child;
    }

    /** Writes the stand-in for the script. */
    public static Path script(Path file) throws IOException {
        return Files.writeString(
                file,
                SCRIPT.replace("@JAVA@", ShellWord.quote(JAVA)).replace("@CLASSPATH@", ShellWord.quote(CLASS_PATH)));
    }

    public static CliProcess start(Path folder, List<String> wrapper, Map<String, String> environment, String... args)
            throws IOException {
        Path script = script(folder.resolve("berth.sh"));
        // A shell's background job has SIGINT ignored, and what it starts inherits that; a user's terminal has not.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(wrapper);
        command.addAll(List.of("bash", script.toString()));
        command.addAll(Arrays.asList(args));
        return new CliProcess(Child.start(ChildJvm.withEnvironment(new ProcessBuilder(command), environment)));
    }

    public static CliProcess start(Path folder, String... args) throws IOException {
        return start(folder, List.of(), Map.of(), args);
    }

    public static Child.Result run(Path folder, String... args) throws IOException {
        try (CliProcess cli = start(folder, args)) {
            return cli.finish();
        }
    }

    public long pid() {
        return child.pid();
    }

    public String readLine() {
        return child.readLine();
    }

    /** Reads lines up to the first one that starts so, and gives that one. */
    public String readUntil(String start) {
        return child.readUntil(start);
    }

    /** Waits until the program has added this number of lines to a file. */
    public void awaitLines(Path file, int lines) {
        Await.until(lines + " lines in " + file, () -> {
            if (!child.isAlive()) {
                throw new AssertionError("it has ended: " + err());
            }
            return Files.exists(file) && Files.readAllLines(file).size() >= lines;
        });
    }

    public void send(String line) {
        child.send(line);
    }

    public void signal(String name) {
        child.signal(name);
    }

    public int exitCode() {
        return child.exitCode();
    }

    public String err() {
        return child.errors();
    }

    public Child.Result finish() {
        return child.finish();
    }

    /** What the kernel allows each thread; the name stands before the thread id. */
    public Map<String, CpuSet> allowedOfThreads() {
        return ProcStatus.threads(pid()).stream()
                .collect(Collectors.toMap(
                        thread -> thread.name() + " " + thread.tid(), thread -> CpuSet.parseList(thread.cpus())));
    }

    @Override
    public void close() {
        child.close();
    }
}
