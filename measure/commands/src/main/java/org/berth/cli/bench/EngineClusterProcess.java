package org.berth.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.berth.cli.bench.jobs.JobRun;
import org.berth.cli.shared.CommandException;
import org.berth.jobkit.EngineCluster;

/**
 * Starts the YARN that arms of a comparison share. It ends when the pipe to its standard input does, which is when this
 * process ends, in whatever way.
 */
final class EngineClusterProcess {
    private static final String PREFIX = "berth: ";

    private EngineClusterProcess() {}

    /** Returns the file with settings for clients once the cluster takes jobs. */
    static String start(JobRun run, PrintWriter err) throws IOException {
        err.println("berth: starting YARN, which all runs of yarn and tez share …");
        err.flush();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                run.libraries() + "/*",
                EngineCluster.MAIN_CLASS,
                run.value("--data"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String last = "it ended without a message";
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(EngineCluster.READY)) {
                drain(process, output);
                return line.substring(EngineCluster.READY.length());
            }
            if (line.startsWith(PREFIX)) {
                last = line.substring(PREFIX.length());
            }
        }
        throw CommandException.failure("cannot start a YARN for the engines yarn and tez: " + last);
    }

    /** A full pipe would stop it. The thread also keeps the process object, whose pipes must stay open. */
    private static void drain(Process process, BufferedReader output) {
        Thread thread = new Thread(
                () -> {
                    try (output) {
                        while (output.readLine() != null) {
                            // Its daemons have logs of their own.
                        }
                        process.waitFor();
                    } catch (IOException | InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                },
                "berth-yarn-output");
        thread.setDaemon(true);
        thread.start();
    }
}
