import org.berth.binding.LocalMachine;
import org.berth.observation.ThreadSampler;
import org.berth.observation.threads.MigrationCounter;

/** Lesson 6: how often do the threads of a process migrate? Samples come from /proc; the process is not changed. */
class WatchThreads {
    public static void main(String[] arguments) throws Exception {
        Thread busy = new Thread(WatchThreads::compute, "busy");
        busy.setDaemon(true); // ends with the program
        busy.start();
        MigrationCounter counter = new MigrationCounter(LocalMachine.open().topology());
        try (ThreadSampler sampler = ThreadSampler.of(ProcessHandle.current().pid())) {
            for (int look = 0; look < 25; look++) {
                counter.add(sampler.sample());
                Thread.sleep(20);
            }
        }
        counter.threads().stream()
                .filter(thread -> thread.name().equals("busy"))
                .forEach(thread -> System.out.println("thread busy moved " + thread.count().betweenCpus() + " times"));
    }

    private static void compute() {
        while (true) {
            Thread.onSpinWait();
        }
    }
}
