package org.berth.examples;

/** K-Means over copies of a table, on an engine for MapReduce. */
public final class KMeansJob {
    private KMeansJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-kmeans", ExampleKind.KMEANS, arguments);
    }
}
