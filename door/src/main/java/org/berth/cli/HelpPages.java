package org.berth.cli;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.cli.shared.CommonOptions;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.Layout;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
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

    private HelpPages() {}

    /** Gives the command and all of its commands these pages. */
    static void install(CommandLine root, List<String> args) {
        int end = args.indexOf("--");
        boolean all = (end < 0 ? args : args.subList(0, end)).contains(ALL);
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(root.getHelpSectionMap());
        if (!all) {
            sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, HelpPages::synopsis);
            sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpPages::parameters);
            sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPages::options);
        }
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
        return help.createDefaultLayout(common(spec), spec.positionalParameters(), help.colorScheme());
    }

    private static String options(Help help) {
        CommandSpec spec = help.commandSpec();
        List<OptionSpec> common = common(spec);
        int others = spec.options().size() - common.size();
        if (others == 0) {
            return help.optionList();
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
