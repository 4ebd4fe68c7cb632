package org.berth.mapreduce.programs.shared;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;

/**
 * A program of one or more MapReduce jobs. Its words are options, then a fixed number of paths; the last of them is the output, which
 * does not exist yet. For one thread.
 */
public abstract class Program extends Configured implements Tool {
    /** Exit code of a wrong command line. */
    public static final int USAGE = 2;

    private static final int HELP_WIDTH = 120;
    private static final String HELP = "help";
    private static final String VERBOSE = "verbose";

    private final String name;
    private final String positions;
    private final String about;

    /**
     * The texts that it needs.
     *
     * @param name as it stands in the command line
     * @param positions names of the paths with spaces between them, as {@code IN OUT}
     * @param about one sentence for the help
     */
    protected Program(String name, String positions, String about) {
        this.name = name;
        this.positions = positions;
        this.about = about;
    }

    /** As it stands in the command line. */
    public final String name() {
        return name;
    }

    /** One sentence. */
    public final String about() {
        return about;
    }

    /** The program's own options, to each of which {@link #option} may add. */
    protected abstract Options options();

    /** Runs the jobs on the calling thread; what it throws ends the program. */
    protected abstract void execute(CommandWords words) throws Exception;

    /** An option with a value. */
    protected static Option option(String name, String value, String about) {
        return Option.builder()
                .longOpt(name)
                .hasArg()
                .argName(value)
                .desc(about)
                .build();
    }

    /** An option without a value. */
    protected static Option flag(String name, String about) {
        return Option.builder().longOpt(name).desc(about).build();
    }

    /** Returns the exit code: 0, 2 for a wrong command line, 1 for any other failure, with one line on standard error. */
    @Override
    public final int run(String[] arguments) {
        Options options = options()
                .addOption(flag(VERBOSE, "print the stack trace of a failure"))
                .addOption(flag(HELP, "print this text"));
        boolean verbose = false;
        try {
            CommandLine line = new DefaultParser(false).parse(options, arguments);
            if (line.hasOption(HELP)) {
                help(options);
                return 0;
            }
            verbose = line.hasOption(VERBOSE);
            CommandWords words = new CommandWords(line, Objects.requireNonNull(getConf(), "run me by ToolRunner"));
            if (words.positions() != positions.split(" ", -1).length) {
                throw new UsageException("give " + positions + " after the options, not " + line.getArgList());
            }
            execute(words);
            return 0;
        } catch (ParseException | UsageException e) {
            return fail(e, verbose, e.getMessage() + " (--help lists the options)", USAGE);
        } catch (Exception e) { // What a job's client, a file system or an engine throws.
            return fail(e, verbose, FailureLine.line(e), 1);
        }
    }

    private int fail(Exception cause, boolean verbose, String message, int code) {
        if (verbose) {
            cause.printStackTrace();
        }
        System.err.println(name + ": " + message);
        return code;
    }

    private void help(Options options) {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        HelpFormatter format = new HelpFormatter();
        format.printHelp(
                out,
                HELP_WIDTH,
                name + " [generic options] [options] " + positions,
                about + "\n\n",
                options,
                format.getLeftPadding(),
                format.getDescPadding(),
                "\nGeneric options are Hadoop's: -D KEY=VALUE, -conf FILE, -files, -libjars; they come first.");
        out.flush();
        System.out.print(text);
    }
}
