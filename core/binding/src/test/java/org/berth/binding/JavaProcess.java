package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A fresh JVM that runs a main class of the tests under -Xcheck:jni; any complaint of that check is a failure. */
final class JavaProcess {
    private static final long TIMEOUT_SECONDS = 120;

    private final Class<?> main;
    private final List<String> arguments;
    private final List<String> prefix = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private String classPath = System.getProperty("java.class.path");

    record Result(int exitCode, String out, String err) {
        /** Standard output of a run that ended well. */
        String lines() {
            assertThat(exitCode).as(err).isZero();
            return out.strip();
        }
    }

    private JavaProcess(Class<?> main, String... arguments) {
        this.main = main;
        this.arguments = List.of(arguments);
    }

    static JavaProcess of(Class<?> main, String... arguments) {
        return new JavaProcess(main, arguments);
    }

    /** The command in front of java, such as taskset -c 0. */
    JavaProcess under(String... command) {
        prefix.addAll(List.of(command));
        return this;
    }

    JavaProcess option(String option) {
        options.add(option);
        return this;
    }

    JavaProcess environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    JavaProcess classPath(String path) {
        classPath = path;
        return this;
    }

    ProcessBuilder builder() {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xcheck:jni", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder;
    }

    Result run() throws IOException, InterruptedException {
        return run(builder());
    }

    static Result run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("berth-test", ".out");
        Path err = Files.createTempFile("berth-test", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Result result = new Result(process.exitValue(), Files.readString(out), Files.readString(err));
            assertThat(result.out() + result.err())
                    .as("-Xcheck:jni has nothing to say")
                    .doesNotContain("WARNING in native method", "FATAL ERROR in native method", "WARNING: JNI");
            return result;
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
