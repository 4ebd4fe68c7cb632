package org.berth.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.text.ShellWord;

/**
 * The command line that the {@code berth} script executes: settings for the environment, the words that Berth adds in
 * front, and the user's own words.
 *
 * <p>Java cannot replace its own process by another program, so {@code berth run} only computes the launch, hands it
 * over in a file and ends; the script, whose process the user started, then becomes the command. Therefore no wrapper
 * process stays, and PID, standard input, signals and exit code are those of the command.
 *
 * @param front words made by Berth; the program is the first of front and rest together
 * @param rest the last words of this process' own command line, handed over byte by byte
 */
public record Launch(Map<String, String> environment, List<String> front, List<String> rest) {
    /** Environment variable with the file from which the script reads the launch. */
    static final String FILE_VARIABLE = "BERTH_LAUNCH_FILE";

    public Launch {
        environment = Map.copyOf(environment);
        front = List.copyOf(front);
        rest = List.copyOf(rest);
        if (front.isEmpty() && rest.isEmpty()) {
            throw new IllegalArgumentException("a launch needs a command");
        }
    }

    /**
     * The hand-over form, every item ended by a NUL byte because nothing else is safe in arguments:
     * {@code env NAME=VALUE} for each setting, then {@code exec} and all words up to the end of the file.
     */
    byte[] toBytes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TreeMap<>(environment).forEach((name, value) -> {
            append(out, "env");
            out.writeBytes(RawEnvironment.assignment(name, value));
            out.write(0);
        });
        append(out, "exec");
        front.forEach(word -> append(out, word));
        out.writeBytes(RawArguments.bytesOf(rest));
        return out.toByteArray();
    }

    /** Leaves the launch to the script, which becomes the command as soon as this process has ended well. */
    public void handOver() {
        String file = System.getenv().getOrDefault(FILE_VARIABLE, "");
        if (file.isEmpty()) {
            throw CommandException.failure(
                    "cannot become the command: Java has no exec, so the 'berth' script does that"
                            + " part; start 'berth run', or print the command line with --dry-run");
        }
        try {
            Files.write(Path.of(file), toBytes());
        } catch (IOException e) {
            throw CommandException.failure("cannot write the launch to " + file + ": " + IoErrors.reason(e), e);
        }
    }

    /** All words of the command. */
    public List<String> words() {
        return Stream.concat(front.stream(), rest.stream()).toList();
    }

    /**
     * The same, of which {@code berth-exec} does not print the domain.
     *
     * @throws IllegalStateException when the launch has no berth-exec
     */
    public Launch silent() {
        return new Launch(environment, withOption("--report", "no"), rest);
    }

    /**
     * All words of a command that {@code berth-exec} binds, and of which it stays the parent for a supervisor (keeper.h).
     *
     * @throws IllegalStateException when the launch has no berth-exec
     */
    public List<String> wordsKept() {
        return Stream.concat(withOption("--keep", "yes").stream(), rest.stream())
                .toList();
    }

    /**
     * The same under the kernel's default memory policy, in place of an inherited one.
     *
     * @throws IllegalStateException when the launch has no berth-exec
     */
    Launch withDefaultPolicy() {
        return new Launch(environment, withOption("--default-policy", "yes"), rest);
    }

    private List<String> withOption(String name, String value) {
        if (front.isEmpty()) {
            throw new IllegalStateException("a launch without berth-exec: " + rest);
        }
        return Stream.of(List.of(front.get(0), name, value), front.subList(1, front.size()))
                .flatMap(List::stream)
                .toList();
    }

    /** The same as one line for a shell. */
    String toShellLine() {
        Stream<String> settings = new TreeMap<>(environment)
                .entrySet().stream().map(setting -> setting.getKey() + "=" + ShellWord.quote(setting.getValue()));
        Stream<String> words =
                Stream.concat(front.stream().map(ShellWord::quote), RawArguments.shellWords(rest).stream());
        return Stream.concat(settings, words).collect(Collectors.joining(" "));
    }

    private static void append(ByteArrayOutputStream out, String item) {
        out.writeBytes(item.getBytes(StandardCharsets.UTF_8));
        out.write(0);
    }
}
