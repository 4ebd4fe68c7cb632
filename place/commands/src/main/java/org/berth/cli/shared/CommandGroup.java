package org.berth.cli.shared;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing but offer commands of its own; without one of them it is a usage error that names all. */
public abstract class CommandGroup implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        CommandSpec own = Objects.requireNonNull(spec);
        throw new ParameterException(
                own.commandLine(),
                "'" + own.qualifiedName() + "' needs one more word: "
                        + String.join(" or ", own.subcommands().keySet()));
    }
}
