package org.berth.jobkit;

/** The YARN that the arms {@code yarn} and {@code tez} of a comparison share. */
public final class EngineCluster {
    /** The main class, in the libraries of the module {@link JobList#EXAMPLES}; its argument is a folder for temporary files. */
    public static final String MAIN_CLASS = "org.berth.examples.ClusterHost";

    /** Begins the line that it prints when jobs can be submitted; the file with settings for clients follows. */
    public static final String READY = "berth-cluster=";

    /** The option of a job that takes that file. */
    public static final String OPTION = "--cluster";

    private EngineCluster() {}
}
