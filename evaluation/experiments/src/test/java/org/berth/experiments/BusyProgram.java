package org.berth.experiments;

/** A JVM with two threads that compute for a second. */
final class BusyProgram {
    private BusyProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        Thread other = new Thread(BusyProgram::compute, "busy");
        other.start();
        compute();
        other.join();
    }

    private static void compute() {
        long end = System.nanoTime() + 1_000_000_000;
        double sum = 0;
        while (System.nanoTime() < end) {
            sum += Math.sqrt(sum + 1);
        }
        if (sum < 0) {
            throw new IllegalStateException("never: it keeps the sum alive");
        }
    }
}
