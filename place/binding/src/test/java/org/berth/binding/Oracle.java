package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Tool;

/** What several tests of binding ask. */
public final class Oracle {
    private Oracle() {}

    /** The number of lines that lstopo prints for a type of objects. */
    public static long lstopoCount(Map<String, String> environment, String type, String... input) {
        String[] command = Stream.concat(Stream.of("lstopo-no-graphics", "--only", type), Stream.of(input))
                .toArray(String[]::new);
        return Tool.output(environment, command)
                .lines()
                .filter(line -> !line.isBlank())
                .count();
    }

    public static void assertOneLine(BindingException e) {
        assertThat(e.getMessage()).doesNotContain("\n").startsWith("cannot ");
    }
}
