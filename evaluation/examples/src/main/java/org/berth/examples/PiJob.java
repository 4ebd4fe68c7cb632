package org.berth.examples;

/** Hadoop's estimate of pi on an engine for MapReduce: mostly the start of a job. */
public final class PiJob {
    private PiJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-pi", ExampleKind.PI, arguments);
    }
}
