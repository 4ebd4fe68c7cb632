package org.berth.cli.bind;

import java.util.List;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.internal.text.WordWrap;

/** Prints the results for processes; notes and failures go to standard error, one line each. */
record BindReport(Terminal terminal, JsonOption json, boolean quiet) {
    /** Stands in messages for the JSON. */
    static final String WHAT = "the result";

    /** The exit code: 1 when something failed. */
    int print(String format, boolean dryRun, List<BindOutcome> outcomes) {
        json.write(terminal, WHAT, () -> BindJson.render(format, dryRun, outcomes));
        if (!json.takesOutput() && !quiet) {
            outcomes.forEach(outcome -> terminal.out().print(BindText.render(outcome, terminal.columns())));
        }
        terminal.out().flush();
        boolean failed = false;
        for (BindOutcome outcome : outcomes) {
            String who = outcomes.size() > 1 ? "process " + outcome.pid() + ": " : "";
            if (!quiet && !json.takesOutput()) {
                outcome.notes().forEach(note -> terminal.err().println("berth: note: " + WordWrap.plain(who + note)));
            }
            outcome.failure().ifPresent(failure -> terminal.err().println("berth: " + WordWrap.plain(who + failure)));
            failed |= outcome.failure().isPresent();
        }
        return failed ? 1 : 0;
    }
}
