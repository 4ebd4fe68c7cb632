package org.berth.observation.internal.jvm;

import org.berth.text.ForeignText;

/** What any process may write into a file in memory with the name of the agent's. */
public final class AgentRulesText {
    public static final String SEED = """
            berth-rules 1
            renames followed
            waiting no
            rule threads=2 matched target=slots 0-1 glob=Executor task*
            rule threads=0 missed target=cpus 3 glob=@gc
            end
            """;

    private AgentRulesText() {}

    /** Absent where it is no text of the agent's; what is shown is clean. */
    public static void parse(String text) {
        AgentRules.parse(text)
                .ifPresent(rules -> rules.rules().forEach(rule -> {
                    if (rule.threads() < 0
                            || (rule.glob() + rule.target()).codePoints().anyMatch(ForeignText::isObeyed)) {
                        throw new AssertionError("not clean: " + rule);
                    }
                }));
    }
}
