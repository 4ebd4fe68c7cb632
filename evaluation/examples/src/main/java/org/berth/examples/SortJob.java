package org.berth.examples;

/** Hadoop's sort of a text on an engine for MapReduce. */
public final class SortJob {
    private SortJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-sort", ExampleKind.SORT, arguments);
    }
}
