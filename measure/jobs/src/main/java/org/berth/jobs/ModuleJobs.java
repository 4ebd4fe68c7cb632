package org.berth.jobs;

import java.util.List;
import java.util.Locale;
import org.berth.jobkit.JobEntry;
import org.berth.jobkit.JobList;

/**
 * Prints the jobs of this module ({@code java -cp 'lib/*' org.berth.jobs.ModuleJobs}) as a table, with {@code --tsv} as lines of
 * columns with tabs between them, in the order of {@link JobEntry}.
 */
public final class ModuleJobs {
    private ModuleJobs() {}

    /** Prints all jobs; exit code 2 with one line on standard error for wrong usage. */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        if (words.equals(List.of("--tsv"))) {
            JobList.lines(JobList.JOBS).forEach(line -> System.out.print(line + "\n"));
        } else if (words.isEmpty()) {
            for (JobEntry job : JobList.of(JobList.JOBS)) {
                System.out.printf(Locale.ROOT, "%-14s %-45s %s%n", job.name(), job.description(), job.mainClass());
            }
        } else {
            System.err.println("berth: jobs: unknown option '" + words.get(0) + "'; there is --tsv");
            System.exit(2);
        }
    }
}
