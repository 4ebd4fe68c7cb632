package org.berth.cli.place;

import java.util.List;
import org.berth.cli.bind.BindCommand;
import org.berth.cli.bind.UnbindCommand;
import org.berth.cli.conf.ConfCommand;
import org.berth.cli.doctor.DoctorCommand;
import org.berth.cli.irq.IrqCommand;
import org.berth.cli.plan.PlanCommand;
import org.berth.cli.run.LeasesCommand;
import org.berth.cli.run.RunCommand;
import org.berth.cli.shared.CommandSet;
import org.berth.cli.shared.Terminal;
import org.berth.cli.split.SplitCommand;
import org.berth.cli.status.StatusCommand;
import org.berth.cli.topo.TopoCommand;
import org.berth.cli.watch.WatchCommand;
import picocli.CommandLine;

/** The commands that show the machine and bind to it. */
public final class PlaceCommands implements CommandSet {
    @Override
    public List<String> names() {
        return List.of(
                "topo", "status", "plan", "run", "split", "leases", "bind", "unbind", "irq", "watch", "doctor", "conf");
    }

    @Override
    public Object command(String name, Terminal terminal) {
        return switch (name) {
            case "topo" -> new TopoCommand(terminal);
            case "status" -> new StatusCommand(terminal);
            case "plan" -> new PlanCommand(terminal);
            // Words after the first word of the command belong to the command, also without "--".
            case "run" -> new CommandLine(new RunCommand(terminal)).setStopAtPositional(true);
            case "split" -> new CommandLine(new SplitCommand(terminal)).setStopAtPositional(true);
            case "leases" -> new LeasesCommand(terminal);
            case "bind" -> new BindCommand(terminal);
            case "unbind" -> new UnbindCommand(terminal);
            case "irq" -> new IrqCommand(terminal);
            case "watch" -> new WatchCommand(terminal);
            case "doctor" -> new DoctorCommand(terminal);
            case "conf" -> ConfCommand.with(terminal);
            default -> throw new IllegalArgumentException(name);
        };
    }
}
