package org.berth.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.cli.shared.CommonOptions;
import org.berth.text.WordWrap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What {@code --help} shows of a command: its common options; {@code --help-all} shows all of them. */
final class HelpPages {
    static final String HELP = "--help";
    static final String ALL = "--help-all";

    private static final int NAME_COLUMNS = 14;
    private static final int INDENT = 2;
    private static final Pattern EXAMPLE = Pattern.compile("(berth|ssh) ");

    private HelpPages() {}

    /** Gives the command and all of its commands these pages. */
    static void install(CommandLine root, List<String> args) {
        int end = args.indexOf("--");
        boolean all = (end < 0 ? args : args.subList(0, end)).contains(ALL);
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(root.getHelpSectionMap());
        if (!all) {
            sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, HelpPages::synopsis);
        }
        sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpPages::parameters);
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, all ? HelpPages::allOptions : HelpPages::options);
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, HelpPages::footer);
        root.setHelpSectionMap(sections);
        Map<String, IHelpSectionRenderer> ofRoot = new HashMap<>(sections);
        ofRoot.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpPages::commands);
        root.getHelpSectionMap().putAll(ofRoot);
    }

    /** The options that {@code --help} shows, in its order. */
    static List<OptionSpec> common(CommandSpec spec) {
        CommonOptions common =
                spec.userObject() == null ? null : spec.userObject().getClass().getAnnotation(CommonOptions.class);
        if (common == null) {
            return spec.options();
        }
        return Stream.concat(Stream.of(common.value()), Stream.of(HELP))
                .map(spec::findOption)
                .toList();
    }

    private static String synopsis(Help help) {
        CommandSpec spec = help.commandSpec();
        return common(spec).size() == spec.options().size()
                ? help.synopsis(help.synopsisHeadingLength())
                : help.abbreviatedSynopsis();
    }

    /** The same columns as those of the options. */
    private static String parameters(Help help) {
        List<PositionalParamSpec> parameters = help.commandSpec().positionalParameters();
        Layout layout = layout(help);
        layout.addPositionalParameters(parameters, help.parameterLabelRenderer());
        return layout.toString();
    }

    private static Layout layout(Help help) {
        CommandSpec spec = help.commandSpec();
        return new WholeWords(help.createDefaultLayout(common(spec), spec.positionalParameters(), help.colorScheme()));
    }

    /** Lines break at blanks only: the library also breaks a line behind a colon, inside core:K. */
    private static final class WholeWords extends Layout {
        private static final Pattern COLON = Pattern.compile(":(?=\\S)");

        /** A letter that looks like a colon. */
        private static final String LETTER = "\uA789";

        WholeWords(Layout layout) {
            super(layout.colorScheme(), layout.textTable(), layout.optionRenderer(), layout.parameterRenderer());
        }

        @Override
        public void layout(ArgSpec argument, Text[][] rows) {
            for (Text[] row : rows) {
                int description = row.length - 1;
                String text = row[description].plainString();
                row[description] = colorScheme().text(COLON.matcher(text).replaceAll(LETTER));
            }
            super.layout(argument, rows);
        }

        @Override
        public String toString() {
            return super.toString().replace(LETTER, ":");
        }
    }

    /** An example is one line, however long, so that it can be copied. */
    private static String footer(Help help) {
        int width = help.commandSpec().usageMessage().width();
        return Stream.of(help.commandSpec().usageMessage().footer())
                .map(line -> String.format(Locale.ROOT, line))
                .flatMap(line -> line.isEmpty() || EXAMPLE.matcher(line).lookingAt()
                        ? Stream.of(line)
                        : WordWrap.wrap(line, width).stream())
                .map(line -> line + System.lineSeparator())
                .collect(Collectors.joining());
    }

    private static String allOptions(Help help) {
        CommandSpec spec = help.commandSpec();
        Layout layout = new WholeWords(
                help.createDefaultLayout(spec.options(), spec.positionalParameters(), help.colorScheme()));
        return help.optionList(layout, help.createDefaultOptionSort(), help.parameterLabelRenderer());
    }

    private static String options(Help help) {
        CommandSpec spec = help.commandSpec();
        List<OptionSpec> common = common(spec);
        int others = spec.options().size() - common.size();
        if (others == 0) {
            return allOptions(help);
        }
        Layout layout = layout(help);
        layout.addOptions(common, help.parameterLabelRenderer());
        return layout + String.format("%n'%s %s' shows %d more options.%n", spec.qualifiedName(), ALL, others);
    }

    private static String commands(Help help) {
        StringBuilder text = new StringBuilder();
        Map<String, Help> commands = help.subcommands();
        for (HelpGroup group : HelpGroup.ALL) {
            List<Help> own = group.names().stream()
                    .filter(commands::containsKey)
                    .map(commands::get)
                    .toList();
            if (!own.isEmpty()) {
                text.append(String.format("%n%s:%n", group.title())).append(table(help, own));
            }
        }
        return text.toString();
    }

    private static TextTable table(Help help, List<Help> commands) {
        int width = help.commandSpec().usageMessage().width();
        TextTable table = TextTable.forColumns(
                help.colorScheme(),
                new Column(NAME_COLUMNS, INDENT, Overflow.SPAN),
                new Column(width - NAME_COLUMNS, INDENT, Overflow.WRAP));
        for (Help command : commands) {
            CommandSpec spec = command.commandSpec();
            String[] description = spec.usageMessage().description();
            table.addRowValues(
                    help.colorScheme().commandText(spec.name()),
                    help.colorScheme().text(description.length == 0 ? "" : String.format(description[0])));
        }
        return table;
    }
}
