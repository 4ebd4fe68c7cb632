package org.berth.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.berth.drawing.text.ShellWord;
import org.berth.topology.CpuSet;

/** The CLI as a process of its own, started by a stand-in for the berth script: the same contract, no build. */
public final class CliProcess implements AutoCloseable {
    private static final String SCRIPT = """
            set -euo pipefail
            command=(@JAVA@ -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp @CLASSPATH@ org.berth.cli.Main "$@")
            [[ $1 == run ]] || exec "${command[@]}"
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
    private static final long PATIENCE_SECONDS = 300;

    public static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    public static final String CLASS_PATH = System.getProperty("java.class.path");

    private final Process process;
    private final Path errors;
    private final BufferedReader out;

    private CliProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** What a finished process left. */
    public record Result(int exitCode, String out, String err) {}

    public static CliProcess start(Path folder, List<String> wrapper, Map<String, String> environment, String... args)
            throws IOException {
        Path script = Files.writeString(
                folder.resolve("berth.sh"),
                SCRIPT.replace("@JAVA@", ShellWord.quote(JAVA)).replace("@CLASSPATH@", ShellWord.quote(CLASS_PATH)));
        Path errors = Files.createTempFile(folder, "stderr", ".txt");
        // A shell's background job has SIGINT ignored, and what it starts inherits that; a user's terminal has not.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(wrapper);
        command.addAll(List.of("bash", script.toString()));
        command.addAll(Arrays.asList(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        // A tool option of the test's own JVM would print a line of its own.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putAll(environment);
        return new CliProcess(builder.start(), errors);
    }

    public static CliProcess start(Path folder, String... args) throws IOException {
        return start(folder, List.of(), Map.of(), args);
    }

    public static Result run(Path folder, String... args) throws Exception {
        try (CliProcess cli = start(folder, args)) {
            return cli.finish();
        }
    }

    public long pid() {
        return process.pid();
    }

    public String readLine() throws IOException {
        return String.valueOf(out.readLine());
    }

    /** Reads lines up to the first one that starts so, and gives that one. */
    public String readUntil(String start) throws IOException {
        List<String> before = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
            before.add(line);
        }
        throw new IOException("no line '" + start + "…' but " + before + " and on standard error: " + err());
    }

    /** Waits until what was started has added so many lines to a file. */
    public void awaitLines(Path file, int lines) throws Exception {
        while (Files.notExists(file) || Files.readAllLines(file).size() < lines) {
            if (!process.isAlive()) {
                throw new IllegalStateException("it has ended: " + err());
            }
            Thread.sleep(20);
        }
    }

    public void write(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    public void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-s", name, Long.toString(pid())).start().waitFor();
    }

    public int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the process did not end");
        }
        return process.exitValue();
    }

    public String err() throws IOException {
        return Files.readString(errors);
    }

    public Result finish() throws Exception {
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(exitCode(), text, err());
    }

    /** What the kernel allows each thread, by thread id; the name stands before the set. */
    public Map<String, CpuSet> allowedOfThreads() throws IOException {
        Map<String, CpuSet> allowed = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid() + "/task"))) {
            for (Path task : tasks) {
                String status;
                try {
                    status = Files.readString(task.resolve("status"));
                } catch (IOException ended) {
                    if (Files.exists(task)) {
                        throw ended;
                    }
                    continue;
                }
                allowed.put(
                        field(status, "Name") + " " + task.getFileName(),
                        CpuSet.parseList(field(status, "Cpus_allowed_list")));
            }
        }
        return allowed;
    }

    public static String field(String status, String name) {
        return status.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Waits for the end: what the processes held, as a lease or the test's folder, is free afterwards. */
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().join());
    }
}
