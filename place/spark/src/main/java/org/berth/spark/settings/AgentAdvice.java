package org.berth.spark.settings;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.launcher.JavaModuleOptions;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.spark.conf.SparkKeys;

/**
 * The settings that bind executors before their JVM starts, heap and collector threads included. The plugin is too late
 * for that, since it runs in an executor that has started already: it can only log them, ready to be copied.
 *
 * <p>A JVM does not start when its {@code -agentpath} names no file. So the path is never a guess: it is one that the
 * cluster manager brings to every host, or one where the documentation tells the user to put the library.
 */
public final class AgentAdvice {
    private static final AgentOptions ONE_NODE = SparkKeys.agent("numa", MemoryMode.LOCAL);

    private AgentAdvice() {}

    /**
     * Returns the line for the driver's log.
     *
     * @param level empty for {@code auto}
     * @return empty when executors have the agent already, run in the driver's JVM, or are not to be bound
     */
    public static Optional<String> advice(SparkConf conf, Optional<OrderedLevel> level) {
        String options = userOptions(conf.get(SparkKeys.JAVA_OPTIONS, ""));
        String master = conf.get("spark.master", "");
        boolean none = level.isPresent() && level.get().level() == AffinityLevel.NONE;
        boolean local = master.equals("local") || master.startsWith("local[");
        return none || local || hasAgent(options)
                ? Optional.empty()
                : Optional.of(
                        "executors are bound after they have started; to bind heap and collector threads before the JVM starts"
                                + " on hosts with several memory nodes: " + settings(master, options));
    }

    /**
     * The options without the thousand characters that Spark puts before them in every application, and would repeat.
     */
    private static String userOptions(String options) {
        String rest = options.replaceFirst("^-Djava\\.net\\.preferIPv6Addresses=\\S+ ?", "");
        String sparks = JavaModuleOptions.defaultModuleOptions();
        return (rest.startsWith(sparks) ? rest.substring(sparks.length()) : rest).strip();
    }

    private static boolean hasAgent(String options) {
        return options.contains("-agentpath:") && options.contains("libberth");
    }

    /** The settings as words of a command line of spark-submit. */
    private static String settings(String master, String options) {
        Optional<Path> here = library();
        if (master.startsWith("yarn")) {
            return "--conf " + SparkKeys.YARN_FILES + "="
                    + here.map(Path::toString).orElse(SparkKeys.INSTALLED_LIBRARY) + "#libberth.so "
                    + javaOptions(options, "./libberth.so");
        }
        if (master.startsWith("local-cluster") && here.isPresent()) {
            return javaOptions(options, here.get().toString());
        }
        // Others fetch --files when the JVM runs already: the library must be on the host, or in the image.
        return javaOptions(options, SparkKeys.INSTALLED_LIBRARY) + " (with libberth.so at that path "
                + (master.startsWith("k8s") ? "of the image" : "of every host")
                + here.map(file -> "; here it is " + file).orElse("") + ")";
    }

    private static String javaOptions(String options, String library) {
        return "--conf '" + SparkKeys.JAVA_OPTIONS + "=" + (options.isEmpty() ? "" : options + " ")
                + ONE_NODE.jvmOption(library) + "'";
    }

    /** The library for this machine, unpacked from the jar when it is not a file yet. */
    private static Optional<Path> library() {
        try {
            return Optional.of(NativeLibrary.file());
        } catch (BindingException e) {
            return Optional.empty();
        }
    }
}
