package org.berth.cli.split;

/** A server to be: says its argument, PID, CPUs and heap, and stays. */
final class SplitSubject {
    private SplitSubject() {}

    public static void main(String[] args) throws InterruptedException {
        Runtime runtime = Runtime.getRuntime();
        System.out.println(args[0] + " " + ProcessHandle.current().pid() + " " + runtime.availableProcessors() + " "
                + runtime.maxMemory());
        Thread.sleep(Long.MAX_VALUE);
    }
}
