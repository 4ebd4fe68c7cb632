package org.berth.packaging;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;

/** Texts of picocli's model as its help shows them, without markup. */
final class HelpText {
    private HelpText() {}

    /** Texts of a command are format strings: "%n" and "%%". */
    static List<String> ofCommand(String... templates) {
        return Stream.of(templates)
                .flatMap(template -> String.format(Locale.ROOT, template).lines())
                .map(Ansi.OFF::string)
                .toList();
    }

    /** Texts of an option or parameter, which picocli has formatted. */
    static List<String> ofArgument(String... texts) {
        return Stream.of(texts).flatMap(String::lines).map(Ansi.OFF::string).toList();
    }

    static boolean isShort(String name) {
        return name.length() == 2 && name.startsWith("-");
    }

    static List<OptionSpec> shown(List<OptionSpec> options) {
        return options.stream().filter(option -> !option.hidden()).toList();
    }
}
