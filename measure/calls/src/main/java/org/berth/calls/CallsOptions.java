package org.berth.calls;

import org.berth.jobkit.JobOptions;
import org.berth.jobkit.WayArm;
import org.berth.jobkit.WayArmConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of every job of calls. */
@Command(footer = "Starts a server in another JVM on loopback and stops it afterwards.")
abstract class CallsOptions extends JobOptions {
    private static final int MOST_HANDLERS = 1000;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            defaultValue = "stock",
            converter = WayArmConverter.class,
            description = "How calls travel: " + WayArm.WORDS
                    + ". +KEY=VALUE extends a word by berth.rpc.KEY=VALUE; +inline=true runs calls on the thread that"
                    + " received them (default ${DEFAULT-VALUE}).")
    private WayArm way = WayArm.parse("stock");

    @Option(
            names = "--handlers",
            paramLabel = "N",
            defaultValue = "8",
            description = "Handlers of the server (default ${DEFAULT-VALUE}).")
    private int handlers;

    @Override
    protected void check() {
        requireAtMost("--handlers", handlers, MOST_HANDLERS);
    }

    WayArm way() {
        return way;
    }

    int handlers() {
        return handlers;
    }
}
