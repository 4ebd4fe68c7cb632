package org.berth.spark.settings;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.launcher.JavaModuleOptions;
import org.berth.binding.BindingException;
import org.berth.binding.NativeLibrary;
import org.berth.placement.AffinityLevel;

/**
 * The settings with which executors are bound before they exist, heap and collector threads included. The plugin is too
 * late for that: it runs in an executor that is there already. So all it can do is to say them, ready to be copied.
 *
 * <p>A JVM whose {@code -agentpath} names no file does not start at all. That is why the path is one that the cluster
 * manager brings to every host, or that the user must have put there, and never a guess.
 */
public final class AgentAdvice {
    static final String JAVA_OPTIONS = "spark.executor.extraJavaOptions";

    /** Where the documentation puts the library in images and on hosts. */
    private static final String INSTALLED = "/opt/berth/libberth.so";

    private static final String PLACE = "domain=numa,memory=bind";

    private AgentAdvice() {}

    /**
     * What to say in the driver's log.
     *
     * @param level empty for {@code auto}
     * @return one line; empty when executors are bound from birth already, are not JVMs of their own or shall not be bound
     */
    public static Optional<String> advice(SparkConf conf, Optional<AffinityLevel> level) {
        String options = users(conf.get(JAVA_OPTIONS, ""));
        String master = conf.get("spark.master", "");
        boolean none = level.isPresent() && level.get() == AffinityLevel.NONE;
        boolean local = master.equals("local") || master.startsWith("local[");
        return none || local || hasAgent(options)
                ? Optional.empty()
                : Optional.of("executors are bound after they have started; to have heap and collector threads born in"
                        + " place on hosts with several memory nodes: " + settings(master, options));
    }

    /** Without the thousand characters that Spark puts before them in every application, and would put there once more. */
    private static String users(String options) {
        String rest = options.replaceFirst("^-Djava\\.net\\.preferIPv6Addresses=\\S+ ?", "");
        String sparks = JavaModuleOptions.defaultModuleOptions();
        return rest.startsWith(sparks) ? rest.substring(sparks.length()).strip() : rest;
    }

    private static boolean hasAgent(String options) {
        return options.contains("-agentpath:") && options.contains("libberth");
    }

    /** Both settings, or the one, as words of a command line of spark-submit. */
    static String settings(String master, String options) {
        String before = options.isBlank() ? "" : options.strip() + " ";
        if (master.startsWith("yarn")) {
            // YARN puts files into the working directory of an executor before it starts the JVM.
            return "--conf spark.yarn.dist.files="
                    + library().map(Path::toString).orElse(INSTALLED) + "#libberth.so --conf '" + JAVA_OPTIONS + "="
                    + before + "-agentpath:./libberth.so=" + PLACE + "'";
        }
        // Others fetch --files when the JVM runs: the library must be on the host, or in the image.
        String there = master.startsWith("local-cluster")
                ? library().map(Path::toString).orElse(INSTALLED)
                : INSTALLED;
        String where = there.equals(INSTALLED)
                ? " (with libberth.so at that path "
                        + (master.startsWith("k8s") ? "of the image" : "of every host")
                        + library().map(file -> "; here it is " + file).orElse("") + ")"
                : "";
        return "--conf '" + JAVA_OPTIONS + "=" + before + "-agentpath:" + there + "=" + PLACE + "'" + where;
    }

    /** The library for this machine, unpacked from the jar where it is not there as a file. */
    private static Optional<Path> library() {
        try {
            return Optional.of(NativeLibrary.file());
        } catch (BindingException e) {
            return Optional.empty();
        }
    }
}
