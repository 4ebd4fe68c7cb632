package org.berth.cli.bind;

import java.util.List;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.text.WordWrap;

/** Prints the results for processes; notes and failures go to standard error, one line each. */
record BindReport(Terminal terminal, boolean json, boolean quiet) {
    /** The exit code: 1 when something failed. */
    int print(String format, boolean dryRun, List<BindOutcome> outcomes) {
        if (json) {
            terminal.out().print(BindJson.render(format, dryRun, outcomes));
        } else if (!quiet) {
            outcomes.forEach(outcome -> terminal.out().print(BindText.render(outcome, terminal.columns())));
        }
        terminal.out().flush();
        boolean failed = false;
        for (BindOutcome outcome : outcomes) {
            String who = outcomes.size() > 1 ? "process " + outcome.pid() + ": " : "";
            if (!quiet && !json) {
                outcome.notes().forEach(note -> terminal.err().println("berth: note: " + WordWrap.plain(who + note)));
            }
            outcome.failure().ifPresent(failure -> terminal.err().println("berth: " + WordWrap.plain(who + failure)));
            failed |= outcome.failure().isPresent();
        }
        return failed ? 1 : 0;
    }
}
