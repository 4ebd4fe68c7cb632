package org.berth.cli.carry;

import java.util.List;
import org.berth.cli.mapreduce.MapReduceCommand;
import org.berth.cli.shared.CommandSet;
import org.berth.cli.shared.Terminal;
import org.berth.cli.transport.TransportCommand;
import picocli.CommandLine;

/** The commands for the engines that carry data. */
public final class CarryCommands implements CommandSet {
    @Override
    public List<String> names() {
        return List.of("mapreduce", "transport");
    }

    @Override
    public Object command(String name, Terminal terminal) {
        return switch (name) {
            // Words after the jar belong to the job.
            case "mapreduce" -> new CommandLine(new MapReduceCommand(terminal)).setStopAtPositional(true);
            case "transport" -> new TransportCommand(terminal);
            default -> throw new IllegalArgumentException(name);
        };
    }
}
