package org.berth.cli.measure;

import java.util.List;
import org.berth.cli.bench.BenchCommand;
import org.berth.cli.compare.CompareCommand;
import org.berth.cli.probe.ProbeCommand;
import org.berth.cli.shared.CommandSet;
import org.berth.cli.shared.Terminal;
import org.berth.cli.study.StudyCommand;
import org.berth.cli.tune.TuneCommand;

/** The commands that measure whether a setting was worth it. */
public final class MeasureCommands implements CommandSet {
    @Override
    public List<String> names() {
        return List.of("compare", "bench", "study", "tune", "probe");
    }

    @Override
    public Object command(String name, Terminal terminal) {
        return switch (name) {
            case "probe" -> new ProbeCommand(terminal);
            case "compare" -> new CompareCommand(terminal);
            case "bench" -> new BenchCommand(terminal);
            case "study" -> StudyCommand.with(terminal);
            case "tune" -> new TuneCommand(terminal);
            default -> throw new IllegalArgumentException(name);
        };
    }
}
