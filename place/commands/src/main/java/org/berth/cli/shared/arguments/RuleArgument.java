package org.berth.cli.shared.arguments;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.berth.placement.ThreadRule;

/** The value of {@code --rule}. A thread's name may have an arrow, but not one with a target behind it. */
public final class RuleArgument {
    private static final Pattern WITH_TARGET =
            Pattern.compile("(.*?)\\s*(->|=>)\\s*(process|slot(\\s+exclusive)?|(slots|cpus)(\\s.*)?)\\s*");

    private RuleArgument() {}

    /** A rule that is a GLOB alone; a usage error for one with a target. */
    public static ThreadRule glob(String text) {
        Matcher rule = WITH_TARGET.matcher(text);
        if (rule.matches()) {
            throw CommandException.usage(
                    "--rule '" + text + "': here a rule is a GLOB, whose threads get a slot each; write" + " --rule '"
                            + rule.group(1) + "'");
        }
        return globOrTarget(text);
    }

    /** The same where a target may follow, {@code GLOB -> TARGET}; a usage error for another arrow. */
    public static ThreadRule globOrTarget(String text) {
        if (text.isBlank()) {
            throw CommandException.usage("--rule '" + text + "': give the names of threads, such as --rule 'worker-*'");
        }
        Matcher rule = WITH_TARGET.matcher(text);
        if (rule.matches() && rule.group(2).equals("=>")) {
            throw CommandException.usage("--rule '" + text + "': the arrow is written ->, as in --rule '"
                    + rule.group(1) + " -> " + rule.group(3) + "'");
        }
        return ThreadRule.of(text);
    }
}
