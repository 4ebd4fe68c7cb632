package org.berth.jobkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jobs of {@code measure/jobs}, {@code measure/uploads}, {@code measure/calls} and {@code
 * measure/examples}, known without their modules being built: each module has a file here, which the {@code berth} script reads
 * too. Needs nothing but the JDK. Pure functions, for any thread.
 */
public final class JobList {
    /** The module of the jobs on Spark and of those of threads. */
    public static final String JOBS = "jobs";

    /** The module of the jobs on HDFS. */
    public static final String UPLOADS = "uploads";

    /** The module of the jobs on Hadoop RPC. */
    public static final String CALLS = "calls";

    /** The module of the jobs on engines for MapReduce. */
    public static final String EXAMPLES = "examples";

    /** Begins the line with the seconds that a job took. */
    public static final String SECONDS = "berth-job-seconds=";

    /** Begins the line with the result: equal for equal options, so that a placement that changes it is broken. */
    public static final String RESULT = "berth-job-result=";

    private JobList() {}

    /** All jobs, in the order in which they are to be listed. */
    public static List<JobEntry> all() {
        return Stream.of(JOBS, UPLOADS, CALLS, EXAMPLES)
                .flatMap(module -> of(module).stream())
                .toList();
    }

    /** The jobs of one module. */
    public static List<JobEntry> of(String module) {
        return lines(module).stream().map(JobEntry::parse).toList();
    }

    /** The jobs of one module as lines of columns with tabs between them, in the order of {@link JobEntry}. */
    public static List<String> lines(String module) {
        String file = module + ".tsv";
        try (InputStream in = JobList.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + file + " beside " + JobList.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
