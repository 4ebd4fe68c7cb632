package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;

/** A process that runs already: a JVM with threads whose names the kernel cuts off, or another program. */
public final class LiveSubject implements AutoCloseable {
    public static final String LONG_NAME = "a name of more than fifteen letters, number ";
    public static final int WORKERS = 4;

    private final Child child;

    private LiveSubject(Child child) {
        this.child = child;
    }

    /**
     * Starts the subject in a JVM.
     *
     * @param before words in front of java, such as taskset -c 0
     */
    public static LiveSubject jvm(List<String> before, String... options) {
        Child jvm = ChildJvm.of(Program.class)
                .under(before)
                // Else a thread of the compiler or the collector comes and goes while others are counted.
                .with("-XX:-UseDynamicNumberOfCompilerThreads", "-XX:-UseDynamicNumberOfGCThreads")
                .with("-XX:TieredStopAtLevel=1", "-Xmx64m")
                .with(options)
                .start();
        jvm.readUntil("ready");
        return new LiveSubject(jvm);
    }

    public static LiveSubject sleep(List<String> before) {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("sleep", "600"));
        Child child = Child.start(command.toArray(String[]::new));
        // taskset becomes it.
        Await.until("sleep", () -> ProcStatus.of(child.pid()).name(), "sleep"::equals);
        return new LiveSubject(child);
    }

    public int pid() {
        return (int) child.pid();
    }

    /** The process itself, or the one that it started: unshare waits for the JVM. */
    public int javaPid() {
        return child.handle()
                .descendants()
                .findFirst()
                .map(ProcessHandle::pid)
                .orElse(child.pid())
                .intValue();
    }

    public String pidWord() {
        return Integer.toString(pid());
    }

    public Map<Integer, CpuSet> masks() {
        return masks(pid());
    }

    public static Map<Integer, CpuSet> masks(int pid) {
        Map<Integer, CpuSet> masks = new TreeMap<>();
        ProcStatus.masks(pid).forEach((tid, cpus) -> masks.put(tid, CpuSet.parseList(cpus)));
        return masks;
    }

    public Map<Integer, String> names() {
        return ProcStatus.threads(pid()).stream().collect(Collectors.toMap(ProcStatus::tid, ProcStatus::name));
    }

    @Override
    public void close() {
        child.close();
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
