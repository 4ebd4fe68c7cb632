package org.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code berth plan}: where a level would put workers and threads. */
@Command(name = "plan", description = "Show where a level would put workers and threads, and why; binds nothing.")
final class PlanCommand implements Callable<Integer> {
    private final Terminal terminal;

    PlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.out().println("plan");
        return 0;
    }
}
