package org.berth.jobs;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A job's command line, split into options: {@code --name value} or {@code --name=value}, and flags without a value. */
final class JobArguments {
    private final Map<String, String> values = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    private JobArguments() {}

    /**
     * @param names options that take a value
     * @param flagNames options that do not
     * @throws JobException with exit code 2 for anything else
     */
    static JobArguments parse(List<String> words, List<String> names, List<String> flagNames) {
        JobArguments arguments = new JobArguments();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            if (flagNames.contains(word)) {
                arguments.flags.add(word);
                continue;
            }
            if (!names.contains(name)) {
                throw JobException.usage("unknown option '" + name + "'");
            }
            if (equals < 0 && ++i == words.size()) {
                throw JobException.usage(name + " needs a value");
            }
            String value = equals < 0 ? words.get(i) : word.substring(equals + 1);
            if (arguments.values.put(name, value) != null) {
                throw JobException.usage(name + " is given twice");
            }
        }
        return arguments;
    }

    boolean has(String name) {
        return flags.contains(name) || values.containsKey(name);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    Optional<Path> path(String name) {
        Optional<String> text = text(name).filter(value -> !value.isEmpty());
        try {
            return text.map(Path::of);
        } catch (InvalidPathException e) {
            throw JobException.usage(name + " '" + text.orElse("") + "' is not a path: " + e.getReason());
        }
    }

    int count(String name, int absent) {
        return count(name, absent, Integer.MAX_VALUE);
    }

    /** A whole number from 1 to {@code greatest}. */
    int count(String name, int absent, int greatest) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return absent;
        }
        try {
            int count = Integer.parseInt(text.get());
            if (count >= 1 && count <= greatest) {
                return count;
            }
        } catch (NumberFormatException e) {
            // The line below says it for both cases.
        }
        String range = greatest == Integer.MAX_VALUE ? "of at least 1" : "from 1 to " + greatest;
        throw JobException.usage(name + " needs a whole number " + range + ", not '" + text.get() + "'");
    }

    /** Any whole number of 64 bits. */
    long number(String name, long absent) {
        Optional<String> text = text(name);
        try {
            return text.isEmpty() ? absent : Long.parseLong(text.get());
        } catch (NumberFormatException e) {
            throw JobException.usage(name + " needs a whole number, not '" + text.orElse("") + "'");
        }
    }

    /** What {@code --threads} says, or the processors that the JVM may use. */
    int threads() {
        return count("--threads", Runtime.getRuntime().availableProcessors());
    }
}
