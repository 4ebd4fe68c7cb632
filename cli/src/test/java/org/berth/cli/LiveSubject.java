package org.berth.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.berth.topology.CpuSet;

/** A process that runs already: a JVM with threads whose names the kernel cuts off, or another program. */
public final class LiveSubject implements AutoCloseable {
    public static final String LONG_NAME = "a name of more than fifteen letters, number ";
    public static final int WORKERS = 4;

    private final Process process;

    private LiveSubject(Process process) {
        this.process = process;
    }

    /**
     * Starts the subject in a JVM.
     *
     * @param before words in front of java, such as taskset -c 0
     */
    public static LiveSubject jvm(List<String> before, String... options) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(CliProcess.JAVA);
        // Else a thread of the compiler or the collector comes and goes while others are counted.
        command.addAll(List.of("-XX:-UseDynamicNumberOfCompilerThreads", "-XX:-UseDynamicNumberOfGCThreads"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xmx64m"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", CliProcess.CLASS_PATH, Program.class.getName()));
        LiveSubject subject = new LiveSubject(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String line = subject.process.inputReader().readLine();
        if (!"ready".equals(line)) {
            subject.close();
            throw new IOException("the JVM said " + line);
        }
        return subject;
    }

    public static LiveSubject sleep(List<String> before) throws Exception {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("sleep", "600"));
        LiveSubject subject = new LiveSubject(new ProcessBuilder(command).start());
        while (!subject.names().containsValue("sleep")) { // taskset becomes it
            Thread.sleep(5);
        }
        return subject;
    }

    public int pid() {
        return (int) process.pid();
    }

    /** The process itself, or the one that it started: unshare waits for the JVM. */
    public int javaPid() {
        return process.descendants()
                .findFirst()
                .map(ProcessHandle::pid)
                .orElse(process.pid())
                .intValue();
    }

    public String pidWord() {
        return Integer.toString(pid());
    }

    public Map<Integer, CpuSet> masks() throws IOException {
        return masks(pid());
    }

    public static Map<Integer, CpuSet> masks(int pid) throws IOException {
        Map<Integer, CpuSet> masks = new TreeMap<>();
        status(pid)
                .forEach((tid, status) ->
                        masks.put(tid, CpuSet.parseList(CliProcess.field(status, "Cpus_allowed_list"))));
        return masks;
    }

    public Map<Integer, String> names() throws IOException {
        Map<Integer, String> names = new TreeMap<>();
        status(pid()).forEach((tid, status) -> names.put(tid, CliProcess.field(status, "Name")));
        return names;
    }

    private static Map<Integer, String> status(int pid) throws IOException {
        Map<Integer, String> texts = new TreeMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                try {
                    texts.put(Integer.valueOf(task.getFileName().toString()), Files.readString(task.resolve("status")));
                } catch (IOException e) {
                    if (Files.exists(task)) {
                        throw e;
                    }
                }
            }
        }
        return texts;
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    static final class Program {
        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            for (int i = 0; i < WORKERS; i++) {
                Thread worker = new Thread(Program::idle, LONG_NAME + i);
                worker.setDaemon(true);
                worker.start();
            }
            Thread.sleep(200); // so that the JVM's own threads are there
            System.out.println("ready");
            idle();
        }

        private static void idle() {
            try {
                Thread.sleep(600_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
