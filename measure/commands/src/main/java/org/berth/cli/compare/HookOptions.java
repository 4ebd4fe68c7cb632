package org.berth.cli.compare;

import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.RunHooks;
import picocli.CommandLine.Option;

/** The options for commands around each run. */
final class HookOptions {
    private static final String PREPARE = "--prepare";
    private static final String CLEANUP = "--cleanup";

    @Option(
            names = PREPARE,
            paramLabel = "CMD",
            description =
                    "Shell command before each run, also of the warm-up: not bound, not measured, with BERTH_ARM and BERTH_ROUND (0 in"
                            + " the warm-up). If it fails, the comparison ends, and --resume continues it.")
    private Optional<String> prepare = Optional.empty();

    @Option(
            names = CLEANUP,
            paramLabel = "CMD",
            description =
                    "Shell command after each run, also after one that failed or was stopped by ^C, --prepare included.")
    private Optional<String> cleanup = Optional.empty();

    /** Usage errors, before anything runs. */
    void check() {
        requireText(PREPARE, prepare);
        requireText(CLEANUP, cleanup);
    }

    private static void requireText(String option, Optional<String> command) {
        if (command.filter(String::isBlank).isPresent()) {
            throw CommandException.usage(
                    option + " has no command; give one for sh, such as " + option + " 'rm -rf out'");
        }
        command.ifPresent(text -> Preconditions.checkHook(option, text));
    }

    RunHooks hooks() {
        return new RunHooks(prepare, cleanup);
    }
}
