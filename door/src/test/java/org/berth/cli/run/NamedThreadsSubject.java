package org.berth.cli.run;

/** A JVM whose threads have the names in its arguments, and wait until it is ended; "busy" ones do not wait. */
public final class NamedThreadsSubject {
    private NamedThreadsSubject() {}

    public static void main(String[] args) throws InterruptedException {
        for (String name : args) {
            Thread thread =
                    new Thread(name.startsWith("busy") ? NamedThreadsSubject::spin : NamedThreadsSubject::idle, name);
            thread.setDaemon(true);
            thread.start();
        }
        System.out.println("ready");
        idle();
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private static void spin() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    private static void idle() {
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
