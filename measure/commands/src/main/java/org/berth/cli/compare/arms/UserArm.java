package org.berth.cli.compare.arms;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.berth.cli.run.PlannedRun;
import org.berth.cli.run.RunOptions;
import org.berth.cli.run.RunRequest;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.experiments.KernelSwitch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/**
 * An arm on the command line: {@code name=VARIABLE=VALUE… OPTIONS}, with options of {@code berth run}.
 *
 * @param run how the command is bound
 * @param words the same as options
 * @param kernel settings of the kernel during its runs
 */
public record UserArm(
        String name, Map<String, String> environment, RunRequest run, List<String> words, List<KernelSwitch> kernel) {
    private static final Pattern SETTING = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*", Pattern.DOTALL);
    private static final String EXAMPLE = "such as --arm \"half=--level core --threads 2 --memory bind\"";

    /** Options alone, without a command. */
    @Command(name = "arm")
    private static final class Holder {
        @Mixin
        private final RunOptions options = new RunOptions();
    }

    /** An arm without settings of the environment. */
    public static UserArm of(String name, PlannedRun run) {
        return new UserArm(name, Map.of(), run, run.options(), List.of());
    }

    /** The same under settings of the kernel. */
    public UserArm under(KernelCondition condition) {
        return new UserArm(name, environment, run, words, condition.switches());
    }

    public static UserArm parse(String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || text.substring(0, equals).isBlank()) {
            throw CommandException.usage("--arm '" + text + "': write NAME=OPTIONS, " + EXAMPLE);
        }
        String name = text.substring(0, equals).strip();
        List<String> words = words(name, text.substring(equals + 1));
        Map<String, String> environment = new TreeMap<>();
        int first = 0;
        while (first < words.size() && SETTING.matcher(words.get(first)).matches()) {
            String setting = words.get(first++);
            environment.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        List<String> options = new ArrayList<>(words.subList(first, words.size()));
        Optional<KernelCondition> kernel = kernel(options);
        if (options.isEmpty() && (!environment.isEmpty() || kernel.isPresent())) {
            options.addAll(List.of("--level", "none"));
        }
        Holder holder = new Holder();
        try {
            OptionRules.check(RunOptions.RULES, new CommandLine(holder).parseArgs(options.toArray(new String[0])));
            return new UserArm(
                    name,
                    environment,
                    holder.options.requestOfArm(),
                    List.copyOf(options),
                    kernel.map(KernelCondition::switches).orElse(List.of()));
        } catch (ParameterException e) {
            throw CommandException.usage(
                    "--arm " + name + ": " + e.getMessage() + "; give options of 'berth run', " + EXAMPLE);
        } catch (CommandException e) {
            throw CommandException.usage("--arm " + name + ": " + e.getMessage());
        }
    }

    /** Takes "--kernel CONDITION" out of the options, which are those of 'berth run' otherwise. */
    private static Optional<KernelCondition> kernel(List<String> options) {
        int at = options.indexOf("--kernel");
        if (at < 0 || at + 1 >= options.size()) {
            return Optional.empty();
        }
        options.remove(at);
        KernelCondition condition = KernelCondition.parse(options.remove(at));
        condition.requireWritable();
        return Optional.of(condition);
    }

    /** Splits like a shell: blanks separate, quotes group, and a backslash quotes the next character. */
    private static List<String> words(String name, String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
                inWord = true;
            } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
                quote = quote == 0 ? c : 0;
                inWord = true;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                }
                word.setLength(0);
                inWord = false;
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw CommandException.usage("--arm " + name + ": a quote " + quote + " is not closed");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
