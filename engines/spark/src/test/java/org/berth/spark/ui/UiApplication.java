package org.berth.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.spark.AffinityPlugin;
import org.berth.spark.ThreadFiles;

/** {@link UiSubject} in a JVM of its own, looked at through its web UI and through /proc. */
final class UiApplication implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(150);

    private final HttpClient http =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final Process process;
    private final BufferedReader out;
    private final Path folder;
    private final List<String> seen = new ArrayList<>();
    private final Set<ProcessHandle> executors = new LinkedHashSet<>();

    private UiApplication(Process process, Path folder) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.folder = folder;
    }

    /** @param front what stands before the class path */
    static UiApplication start(Path folder, String front, List<String> jvmOptions) throws IOException {
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.add("-Dspark.plugins=" + AffinityPlugin.class.getName());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", front + classPath, UiSubject.class.getName(), "2"));
        command.add(folder.resolve("gate").toString());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("SPARK_LOCAL_HOSTNAME", "localhost");
        // What the executors of local-cluster are started with.
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_HOME", home(folder, classPath).toString());
        Process process = builder.start();
        ThreadFiles.limit(process, 380);
        return new UiApplication(process, folder);
    }

    /** Executors take the jars from here, and what is no jar from spark.executor.extraClassPath. */
    private static Path home(Path folder, String classPath) throws IOException {
        Path jars = Files.createDirectories(folder.resolve("home/jars"));
        int number = 0;
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (entry.endsWith(".jar")) {
                Path jar = Path.of(entry).toAbsolutePath();
                Files.createSymbolicLink(jars.resolve(number++ + "-" + jar.getFileName()), jar);
            }
        }
        return folder.resolve("home");
    }

    static String directories() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith(".jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    long pid() {
        return process.pid();
    }

    /** The rest of the next line that begins so. */
    String await(String begin) throws IOException {
        while (true) {
            String line = out.readLine();
            if (line == null) {
                throw new AssertionError("ended without '" + begin + "': " + seen + errors());
            }
            seen.add(line);
            if (line.startsWith(begin)) {
                return line.substring(begin.length());
            }
        }
    }

    String errors() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    HttpResponse<String> get(String url, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    JsonNode json(String url) throws IOException, InterruptedException {
        return JSON.readTree(get(url).body());
    }

    /** Asks until the answer is as wanted. */
    JsonNode await(String url, Predicate<JsonNode> wanted) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            JsonNode answer = json(url);
            if (wanted.test(answer)) {
                return answer;
            }
            if (System.nanoTime() - endNanos > 0 || !process.isAlive()) {
                throw new AssertionError("never came: " + answer.toPrettyString() + errors());
            }
            Thread.sleep(200);
        }
    }

    /** Cpus_allowed_list of every thread of a process that runs a task, as the kernel has them; sorted. */
    static List<String> taskMasks(long pid) throws IOException {
        return ThreadFiles.masks(pid, "Executor task l").values().stream()
                .sorted()
                .toList();
    }

    void openGate() throws IOException {
        Files.createFile(folder.resolve("gate"));
    }

    /** Lets the application end, and gives its warnings about Berth. */
    List<String> end() throws IOException, InterruptedException {
        // Executors of a cluster end after it, and write their metrics until then.
        process.descendants().forEach(executors::add);
        process.getOutputStream().close();
        await("stopped");
        if (process.waitFor() != 0) {
            throw new AssertionError("exit code " + process.exitValue() + ": " + errors());
        }
        return errors().lines()
                .filter(line -> line.startsWith("WARN") && line.contains("erth"))
                .toList();
    }

    @Override
    public void close() {
        process.descendants().forEach(executors::add);
        process.destroyForcibly().onExit().join();
        executors.forEach(ProcessHandle::destroyForcibly);
        executors.forEach(executor -> executor.onExit().join());
    }
}
