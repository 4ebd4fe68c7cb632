package org.berth.examples;

/** Hadoop's sort of random records on an engine for MapReduce. */
public final class RecordsJob {
    private RecordsJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-sort-records", ExampleKind.RECORDS, arguments);
    }
}
