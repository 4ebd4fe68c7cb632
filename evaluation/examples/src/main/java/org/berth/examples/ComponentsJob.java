package org.berth.examples;

/** Connected components of copies of a graph, on an engine for MapReduce. */
public final class ComponentsJob {
    private ComponentsJob() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        Example.main("mr-components", ExampleKind.COMPONENTS, arguments);
    }
}
