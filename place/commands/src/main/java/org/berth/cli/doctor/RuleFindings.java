package org.berth.cli.doctor;

import java.util.List;
import java.util.stream.Collectors;
import org.berth.observation.Reading;
import org.berth.observation.internal.jvm.AgentRules;
import org.berth.text.Words;

/** Whether the thread rules of a JVM's agent have threads. A pure function of what was read. */
final class RuleFindings {
    private static final String CHECK = "thread-rules";

    private RuleFindings() {}

    /** Nothing of a JVM whose agent has no rules. */
    static List<Finding> of(Reading<AgentRules> rules, long pid) {
        return rules.fold(
                known -> List.of(of(known, pid)),
                absent -> List.of(),
                refusal -> List.of(Finding.unknown(CHECK, refusal)));
    }

    static Finding of(AgentRules rules, long pid) {
        String read = rules.rules().stream()
                .map(rule -> "'" + rule.glob() + "' -> " + rule.target() + ": " + threads(rule))
                .collect(Collectors.joining("; "));
        boolean missed = rules.rules().stream().anyMatch(AgentRules.Rule::missed);
        if (!missed) {
            return Finding.ok(CHECK, read);
        }
        String fix = "compare with the names that 'jcmd " + pid + " Thread.print' prints"
                + (rules.renamesFollowed() ? "" : "; here the name that a thread starts with counts, not a later one");
        return rules.waiting() ? Finding.info(CHECK, read, fix) : Finding.warning(CHECK, read, fix);
    }

    private static String threads(AgentRules.Rule rule) {
        return rule.matched() ? Words.count(rule.threads(), "thread") : "no thread so far";
    }
}
