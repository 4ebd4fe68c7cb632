package org.berth.examples;

/** Removal of near-duplicate reads, on an engine for MapReduce. */
public final class DuplicatesJob {
    private DuplicatesJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-duplicates", ExampleKind.DUPLICATES, arguments);
    }
}
