package org.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code berth topo}: the machine as a picture. */
@Command(name = "topo", description = "Show the machine as a picture.")
final class TopoCommand implements Callable<Integer> {
    private final Terminal terminal;

    TopoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.out().println("topo");
        return 0;
    }
}
