package org.berth.examples;

/** Hadoop's word count on an engine for MapReduce. */
public final class WordCountJob {
    private WordCountJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-wordcount", ExampleKind.WORDCOUNT, arguments);
    }
}
