package org.berth.cli.shared;

import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.function.Supplier;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * The option {@code --json [FILE]} of every command that has a result: without a file, or with {@code -}, JSON goes to
 * standard output.
 */
public final class JsonOption {
    @Option(
            names = "--json",
            arity = "0..1",
            paramLabel = "FILE",
            fallbackValue = OutputFile.STANDARD_OUTPUT,
            preprocessor = OptionalFile.class,
            description =
                    "Write the result as JSON to a file; without FILE or with -, print JSON alone on standard output.")
    private Optional<String> file = Optional.empty();

    public boolean isGiven() {
        return file.isPresent();
    }

    /** Whether JSON takes standard output. */
    public boolean takesOutput() {
        return file.equals(Optional.of(OutputFile.STANDARD_OUTPUT));
    }

    /** The file as the user named it; {@code -} when JSON is not asked for. */
    public String target() {
        return file.orElse(OutputFile.STANDARD_OUTPUT);
    }

    /**
     * Refuses a file that cannot be written, before long work or a change of the machine.
     *
     * @param what the content, such as "the plan"
     */
    public void check(String what) {
        file.ifPresent(target -> OutputFile.check(target, what));
    }

    /** The terminal for text next to JSON: its output is standard error when JSON takes standard output. */
    public Terminal text(Terminal terminal) {
        return takesOutput() ? terminal.toStandardError() : terminal;
    }

    /** Writes the JSON if it is asked for. */
    public void write(Terminal terminal, String what, Supplier<String> json) {
        file.ifPresent(target -> OutputFile.write(terminal, target, what, json.get()));
    }

    /** Writes the JSON if it is asked for, and prints the text unless JSON takes standard output. */
    public void write(Terminal terminal, String what, Supplier<String> json, Supplier<String> text) {
        write(terminal, what, json);
        if (!takesOutput()) {
            terminal.out().print(text.get());
        }
    }

    /** Leaves a word that can be no file to the command: another option, {@code --}, or the PID of a process. */
    private static final class OptionalFile implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // The type of picocli's interface.
        public boolean preprocess(Stack<String> args, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            boolean attached = !" ".equals(info.get("separator"));
            if (!attached && !args.isEmpty() && !isFile(args.peek())) {
                args.push(OutputFile.STANDARD_OUTPUT);
            }
            return false;
        }

        private static boolean isFile(String word) {
            boolean option = word.startsWith("-") && !word.equals(OutputFile.STANDARD_OUTPUT);
            boolean pid = !word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9');
            return !option && !pid;
        }
    }
}
