package org.berth.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import picocli.CommandLine.Option;

/** A part of the machine that a lease finds when the command starts: the options of {@code run}. */
final class DomainOptions {
    private static final Pattern DOMAIN = Pattern.compile("numa|package|l3|core(:[1-9]\\d{0,3})?");
    private static final Pattern SELECT = Pattern.compile("free|exclusive|\\d{1,6}");

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description = "Instead of --level: one numa (node), package, l3 (cache) or core:K (K cores) that the other"
                    + " processes started like this use least.")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--select",
            paramLabel = "WHICH",
            description = "Of the domains: free (the least used, the default), exclusive (one that nobody uses, and"
                    + " nobody else gets), or its number from 0.")
    private Optional<String> select = Optional.empty();

    @Option(
            names = "--leases",
            paramLabel = "DIR",
            description = "The ledger (default: the variable BERTH_LEASES, else /dev/shm/berth-leases).")
    private Optional<String> leases = Optional.empty();

    @Option(names = "--name", paramLabel = "TEXT", description = "What 'berth leases' calls the command.")
    private Optional<String> name = Optional.empty();

    /** Whether one is asked for; wrong usage when only what belongs to it is. */
    boolean isGiven() {
        if (domain.isEmpty()) {
            Optional<String> alone = select.map(text -> "--select")
                    .or(() -> leases.map(text -> "--leases"))
                    .or(() -> name.map(text -> "--name"));
            if (alone.isPresent()) {
                throw CommandException.usage(alone.get() + " needs --domain: one of numa, package, l3, core:K");
            }
            return false;
        }
        require(DOMAIN, "--domain", domain.get(), "numa, package, l3, core:K (K cores, from 1)");
        require(SELECT, "--select", select.orElse("free"), "free, exclusive, or a number from 0");
        return true;
    }

    /** "numa", with how it is chosen. */
    String describe() {
        return domain.orElseThrow() + " (" + select.orElse("free") + ")";
    }

    /** As the agent has them: {@code domain=numa,select=free}. */
    String agentWords() {
        StringBuilder words = new StringBuilder();
        forEach((key, value) -> words.append(words.length() == 0 ? "" : ",")
                .append(key)
                .append('=')
                .append(value));
        return words.toString();
    }

    /** As berth-exec has them. */
    List<String> helperWords() {
        List<String> words = new ArrayList<>();
        forEach((key, value) -> words.addAll(List.of("--" + key, value)));
        return words;
    }

    private void forEach(java.util.function.BiConsumer<String, String> action) {
        action.accept("domain", domain.orElseThrow());
        select.ifPresent(value -> action.accept("select", value));
        leases.ifPresent(value -> action.accept("leases", noComma("--leases", value)));
        name.ifPresent(value -> action.accept("name", noComma("--name", value)));
    }

    /** The agent's options are separated by commas. */
    private static String noComma(String option, String value) {
        if (value.isEmpty() || value.indexOf(',') >= 0) {
            throw CommandException.usage(option + " '" + value + "' may not be empty or hold a comma");
        }
        return value;
    }

    private static void require(Pattern pattern, String option, String value, String choices) {
        if (!pattern.matcher(value).matches()) {
            throw CommandException.usage(option + " '" + value + "' is none of " + choices);
        }
    }
}
