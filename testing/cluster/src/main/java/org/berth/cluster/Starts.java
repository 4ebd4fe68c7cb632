package org.berth.cluster;

/** How a daemon's main program begins. The threads of its services are no daemons: they keep it alive when main has ended. */
final class Starts {
    private Starts() {}

    interface Start {
        void run() throws Exception;
    }

    /** Ends the JVM when the start fails, which the threads that did start would keep alive. */
    static void orEnd(Start start) {
        try {
            start.run();
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            // Not exit: shutdown hooks of what is half started may wait for the other half.
            Runtime.getRuntime().halt(1);
        }
    }
}
