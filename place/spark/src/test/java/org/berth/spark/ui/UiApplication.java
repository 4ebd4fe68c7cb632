package org.berth.spark.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.spark.AffinityPlugin;

/** {@link UiSubject} in a JVM of its own, looked at through its web UI and through /proc. */
final class UiApplication implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    private final Child child;
    private final Path folder;
    private final Set<ProcessHandle> executors = new LinkedHashSet<>();

    private UiApplication(Child child, Path folder) {
        this.child = child;
        this.folder = folder;
    }

    /** @param front what stands before the class path */
    static UiApplication start(Path folder, String front, List<String> jvmOptions) throws IOException {
        String classPath = System.getProperty("java.class.path");
        return new UiApplication(
                ChildJvm.of(UiSubject.class, "2", folder.resolve("gate").toString())
                        .with("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                        .with("-Dspark.plugins=" + AffinityPlugin.class.getName())
                        .with(jvmOptions.toArray(String[]::new))
                        .classPath(front + classPath)
                        .environment("SPARK_LOCAL_IP", "127.0.0.1")
                        .environment("SPARK_LOCAL_HOSTNAME", "localhost")
                        // What the executors of local-cluster are started with.
                        .environment("SPARK_SCALA_VERSION", "2.13")
                        .environment("SPARK_HOME", home(folder, classPath).toString())
                        .start(),
                folder);
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
        return child.pid();
    }

    /** The rest of the next line that begins so. */
    String await(String begin) {
        return child.readUntil(begin).substring(begin.length());
    }

    String errors() {
        return child.errors();
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
    JsonNode await(String url, Predicate<JsonNode> wanted) {
        return Await.until(
                "an answer of " + url,
                () -> {
                    if (!child.isAlive()) {
                        throw new AssertionError("it has ended: " + errors());
                    }
                    return json(url);
                },
                wanted);
    }

    /** Cpus_allowed_list of every thread of a process that runs a task, as the kernel has them; sorted. */
    static List<String> taskMasks(long pid) throws IOException {
        return ProcStatus.masks(pid, "Executor task l"::equals).values().stream()
                .sorted()
                .toList();
    }

    void openGate() throws IOException {
        Files.createFile(folder.resolve("gate"));
    }

    /** Lets the application end, and gives its warnings about Berth. */
    List<String> end() {
        // Executors of a cluster end after it, and write their metrics until then.
        child.handle().descendants().forEach(executors::add);
        child.finish().output();
        return errors().lines()
                .filter(line -> line.startsWith("WARN") && line.contains("erth"))
                .toList();
    }

    @Override
    public void close() {
        child.handle().descendants().forEach(executors::add);
        child.close();
        executors.forEach(ProcessHandle::destroyForcibly);
        executors.forEach(executor -> executor.onExit().join());
    }
}
