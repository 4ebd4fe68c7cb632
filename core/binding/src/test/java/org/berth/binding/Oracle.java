package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** What others say of this machine and of our threads: the kernel's files and the usual tools. */
final class Oracle {
    private Oracle() {}

    /** Cpus_allowed_list of a task, or of a process' leader, from /proc. */
    static String allowedCpus(Path proc) throws IOException {
        return statusField(proc, "Cpus_allowed_list");
    }

    static String allowedNodes(Path proc) throws IOException {
        return statusField(proc, "Mems_allowed_list");
    }

    /** Until a process has become the command that one such as taskset, sh or setpriv sets things up for. */
    static void awaitName(long pid, String name) throws IOException, InterruptedException {
        while (!Files.readString(Path.of("/proc/" + pid + "/comm")).equals(name + "\n")) {
            Thread.sleep(5);
        }
    }

    static Path task(long pid, long tid) {
        return Path.of("/proc/" + pid + "/task/" + tid);
    }

    private static String statusField(Path proc, String field) throws IOException {
        return Files.readAllLines(proc.resolve("status")).stream()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /** Standard output of a tool that must end well. */
    static String output(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        JavaProcess.Result result = JavaProcess.run(builder);
        return result.lines();
    }

    static void assumeTool(String name) {
        boolean present = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
        assumeTrue(present, name + " is not installed");
    }

    static void assumeRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can set this up");
    }

    /** The number of lines that lstopo prints for a type of objects. */
    static long lstopoCount(Map<String, String> environment, String type, String... input)
            throws IOException, InterruptedException {
        String[] command = new String[input.length + 3];
        command[0] = "lstopo-no-graphics";
        command[1] = "--only";
        command[2] = type;
        System.arraycopy(input, 0, command, 3, input.length);
        return output(environment, command)
                .lines()
                .filter(line -> !line.isBlank())
                .count();
    }

    /** At least two CPUs are needed to tell one from another. */
    static int[] twoAllowedCpus(String allowedList) {
        int[] cpus = org.berth.topology.CpuSet.parseList(allowedList).toArray();
        assumeTrue(cpus.length >= 2, "this process may use one CPU only");
        return cpus;
    }

    static void assertOneLine(BindingException e) {
        assertThat(e.getMessage()).doesNotContain("\n").startsWith("cannot ");
    }
}
