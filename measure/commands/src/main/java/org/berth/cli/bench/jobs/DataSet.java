package org.berth.cli.bench.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.berth.cli.shared.CommandException;

/**
 * Real data that a job reads unless {@code --input} names a file.
 *
 * @param script property with the path of the program that puts the file into a folder
 * @param content what a file of the user's own must have
 */
record DataSet(String file, String script, String content) {
    /** The word that stands for a table in the options of a job. */
    static final String TABLE = "INPUT";
    /** The word that stands for a graph. */
    static final String GRAPH = "GRAPH";
    /** The word that stands for a genome. */
    static final String GENOME = "GENOME";
    /** The word that stands for a text. */
    static final String TEXT = "TEXT";

    static final DataSet DIGITS = new DataSet("digits.csv.gz", "org.berth.jobs.fetch", "a table of numbers (CSV)");
    static final DataSet PACKAGES =
            new DataSet("packages.txt", "org.berth.jobs.fetch.graph", "a graph (lines of NODE NEIGHBOUR…)");
    static final DataSet ECOLI =
            new DataSet("escherichia-coli.fa.gz", "org.berth.jobs.fetch.genome", "a genome (FASTA)");

    static final DataSet DOCUMENTATION =
            new DataSet("documentation.txt", "org.berth.jobs.fetch.text", "a text (lines)");

    private static final Set<String> WORDS = Set.of(TABLE, GRAPH, GENOME, TEXT);

    static boolean isNamed(String word) {
        return WORDS.contains(word);
    }

    Path readable(Path data) {
        String reason = Files.isDirectory(data)
                ? "it is a directory"
                : Files.notExists(data) ? "no such file" : !Files.isReadable(data) ? "permission denied" : "";
        if (!reason.isEmpty()) {
            throw CommandException.failure("cannot read the input " + data + ": " + reason + "; give " + content);
        }
        return data.toAbsolutePath();
    }

    Path fetch(Path folder) throws IOException, InterruptedException {
        Path target = folder.resolve(file).toAbsolutePath();
        String program = System.getProperty(script, "");
        if (Files.exists(target) || program.isEmpty()) {
            return target;
        }
        Process fetch = new ProcessBuilder(program, folder.toString())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (fetch.waitFor() != 0) {
            throw CommandException.failure(
                    "cannot fetch the data set (see the lines above); give " + content + " with --input FILE");
        }
        return target;
    }
}
