package org.berth.cli.shared;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.berth.binding.errors.BindingException;
import org.berth.observation.ObservationException;
import org.berth.placement.PlacementException;
import org.berth.placement.internal.NearestWord;
import org.berth.text.Words;
import org.berth.topology.TopologyException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every failure into one line on standard error and an exit code; the stack trace needs {@code --verbose}. */
public final class ErrorReport implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final int FAILURE = 1;
    private static final int USAGE = 2;

    private final Terminal terminal;
    private final boolean verbose;

    public ErrorReport(Terminal terminal, List<String> args) {
        this.terminal = terminal;
        // Words after "--" belong to another command.
        int end = args.indexOf("--");
        this.verbose = (end < 0 ? args : args.subList(0, end)).contains("--verbose");
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        String message = e instanceof UnmatchedArgumentException unmatched
                ? unmatched(unmatched, e.getCommandLine())
                : String.valueOf(e.getMessage());
        return report(message + " ('" + command + " --help' shows the usage)", e, USAGE);
    }

    /** Names the line of Berth for a word of another tool, or the nearest command or option. */
    private static String unmatched(UnmatchedArgumentException e, CommandLine command) {
        String word = e.getUnmatched().get(0);
        boolean unknownCommand = !command.getSubcommands().isEmpty() && !e.isUnknownOption();
        Collection<String> known = unknownCommand
                ? command.getSubcommands().keySet()
                : e.isUnknownOption() ? command.getCommandSpec().optionsMap().keySet() : List.of();
        String name = command.getParent() == null ? "" : command.getCommandName();
        Optional<String> foreign = known.isEmpty() ? Optional.empty() : ForeignWords.hint(name, word);
        return (unknownCommand ? "unknown command '" + word + "'" : String.valueOf(e.getMessage()))
                + foreign.orElseGet(() -> NearestWord.hint(word.replaceFirst("=.*", ""), known));
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult parseResult) {
        if (e instanceof CommandException known) {
            return report(String.valueOf(known.getMessage()), known, known.exitCode());
        }
        if (e instanceof PlacementException) {
            return report(String.valueOf(e.getMessage()), e, USAGE);
        }
        if (e instanceof TopologyException || e instanceof BindingException || e instanceof ObservationException) {
            return report(String.valueOf(e.getMessage()), e, FAILURE);
        }
        String hint = verbose ? "" : "; --verbose prints the stack trace";
        return report("internal error: " + e + hint, e, FAILURE);
    }

    private int report(String message, Exception e, int exitCode) {
        terminal.out().flush();
        terminal.err().println("berth: " + Words.oneLine(message).strip());
        if (verbose) {
            e.printStackTrace(terminal.err());
        }
        terminal.err().flush();
        return exitCode;
    }
}
