package org.berth.examples;

import java.nio.file.Path;
import java.util.ServiceLoader;
import org.berth.jobkit.JobException;

/** The examples once more, written for another engine, in a module with that engine's libraries. */
public interface HandWritten {
    /**
     * Writes the same output.
     *
     * @param master the word for Spark's local mode
     * @return false when it has no such program
     */
    boolean run(String example, Path input, Path output, String master) throws Exception;

    /** Runs the program by hand, and returns what it printed as its result: nothing. */
    static String run(ExampleKind example, Path input, Path output) throws Exception {
        for (HandWritten programs : ServiceLoader.load(HandWritten.class)) {
            if (programs.run(example.name(), input, output, ExampleEngine.sparkMaster())) {
                return "";
            }
        }
        throw JobException.usage(
                "there is no program for spark-rdd that is equal to the job " + example.job() + " in this class path");
    }
}
