package org.berth.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The manual page of a command in roff (man-pages(7), groff_man(7)). picocli's own generator writes AsciiDoc, whose way to
 * roff is a Ruby in the JVM.
 */
final class ManualPage {
    private final CommandLine command;
    private final CommandSpec spec;
    private final String version;
    private final String date;
    private final StringBuilder page = new StringBuilder();

    ManualPage(CommandLine command, String version, String date) {
        this.command = command;
        this.spec = command.getCommandSpec();
        this.version = version;
        this.date = date;
    }

    String text() {
        page.setLength(0);
        String name = spec.qualifiedName("-");
        request(".TH", name.toUpperCase(Locale.ROOT), "1", date, "Berth " + version, "Berth");
        List<String> description = HelpText.ofCommand(spec.usageMessage().description());
        section("NAME");
        line(name + " - " + description.get(0).replaceFirst("\\.$", ""));
        section("SYNOPSIS");
        line(synopsis());
        section("DESCRIPTION");
        description.forEach(this::paragraph);
        section("OPTIONS");
        HelpText.shown(spec.options())
                .forEach(option -> entry(names(option), HelpText.ofArgument(option.description())));
        spec.positionalParameters().stream()
                .filter(parameter -> !parameter.hidden())
                .forEach(
                        parameter -> entry(bold(parameter.paramLabel()), HelpText.ofArgument(parameter.description())));
        List<OptionRule> rules = OptionRules.of(command);
        if (!rules.isEmpty()) {
            section("OPTIONS THAT NEED OR EXCLUDE OTHERS");
            rules.forEach(rule -> paragraph(rule.sentence(spec)));
        }
        if (!command.getSubcommands().isEmpty()) {
            section("COMMANDS");
            command.getSubcommands()
                    .forEach((word, sub) -> entry(
                            bold(word),
                            HelpText.ofCommand(
                                    sub.getCommandSpec().usageMessage().description())));
        }
        footer(HelpText.ofCommand(spec.usageMessage().footer()));
        section("EXIT STATUS");
        line("0 after success, 1 after a failure, 2 after a usage error. 'berth run' exits with the command's own"
                + " exit code.");
        section("SEE ALSO");
        line(seeAlso());
        if (page.indexOf("docs/") >= 0) {
            paragraph("The folder docs/ is in the folder of the archive, or in /usr/share/doc/berth.");
        }
        return page.toString();
    }

    private String synopsis() {
        Help help = new Help(spec, Help.defaultColorScheme(Ansi.OFF));
        return help.synopsis(0).strip().replaceAll("\\s+", " ");
    }

    private String names(OptionSpec option) {
        String label = new Help(spec, Help.defaultColorScheme(Ansi.OFF))
                .createDefaultParamLabelRenderer()
                .renderParameterLabel(option, Ansi.OFF, List.of())
                .toString();
        return Stream.of(option.names()).map(ManualPage::bold).collect(Collectors.joining(", ")) + escaped(label);
    }

    private void footer(List<String> lines) {
        List<String> examples = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        lines.stream().filter(line -> !line.isBlank()).forEach(line -> {
            boolean runs = line.matches("(berth|ssh) .*");
            (runs ? examples : notes).add(line);
        });
        if (!examples.isEmpty()) {
            section("EXAMPLES");
            page.append(".nf\n");
            examples.forEach(this::line);
            page.append(".fi\n");
        }
        if (!notes.isEmpty()) {
            section("NOTES");
            notes.forEach(this::paragraph);
        }
    }

    private String seeAlso() {
        return Stream.concat(Stream.ofNullable(command.getParent()), command.getSubcommands().values().stream())
                .map(page -> page.getCommandSpec().qualifiedName("-") + "(1)")
                .collect(Collectors.joining(", "));
    }

    private void section(String title) {
        request(".SH", title);
    }

    private void paragraph(String text) {
        page.append(".PP\n");
        line(text);
    }

    private void entry(String term, List<String> description) {
        page.append(".TP\n").append(term).append('\n');
        description.forEach(this::line);
    }

    private void request(String name, String... words) {
        page.append(name);
        for (String word : words) {
            page.append(" \"").append(escaped(word)).append('"');
        }
        page.append('\n');
    }

    private void line(String text) {
        page.append(escaped(text)).append('\n');
    }

    private static String bold(String text) {
        return "\\fB" + escaped(text) + "\\fR";
    }

    /** Hyphens stay those of the keyboard, so that options can be copied; no text begins a request. */
    static String escaped(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
