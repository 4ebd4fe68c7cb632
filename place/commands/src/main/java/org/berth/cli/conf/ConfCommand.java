package org.berth.cli.conf;

import org.berth.cli.shared.CommandGroup;
import org.berth.cli.shared.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code berth conf}: prints settings of engines for hosts like this one. */
@Command(
        name = "conf",
        synopsisSubcommandLabel = "spark|yarn|hdfs|kubernetes",
        description = {
            "Print the settings of Spark, YARN, HDFS or a pod that bind their processes on hosts like this one.",
            "Nothing is bound; docs/commands/conf.md explains each option."
        },
        footer = {
            "",
            "berth conf spark --manager standalone --level core",
            "berth conf spark --manager yarn --domain l3 --heap 60%%",
            "berth conf yarn --domain numa",
            "berth conf hdfs",
            "berth conf kubernetes --domain numa --heap 8g"
        })
public final class ConfCommand extends CommandGroup {
    private ConfCommand() {}

    /** Makes the command with one command for each engine. */
    public static CommandLine with(Terminal terminal) {
        return new CommandLine(new ConfCommand())
                .addSubcommand(new SparkConf(terminal))
                .addSubcommand(new YarnConf(terminal))
                .addSubcommand(new HdfsConf(terminal))
                .addSubcommand(new KubernetesConf(terminal));
    }
}
