package org.berth.spark.conf;

import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.placement.MemoryMode;

/** Names that the plugin, its advice, the command line and the documentation share. */
public final class SparkKeys {
    /** The class that {@code spark.plugins} names; the plugin logs everything under this name. */
    public static final String PLUGIN = "org.berth.spark.AffinityPlugin";

    /** Spark's own setting that holds the classes of its plugins. */
    public static final String PLUGINS = "spark.plugins";

    /** Begins the names of all settings of the plugin. */
    public static final String PREFIX = "spark.berth.";

    /** Spark setting: how tightly to bind; {@code auto}, the default, binds only where distances cost something. */
    public static final String LEVEL = PREFIX + "level";

    /**
     * Spark setting: path of a plan in the text form of {@link org.berth.placement.PlacementPlan}. Tasks take its slots
     * instead of those of a level.
     */
    public static final String PLAN = PREFIX + "plan";

    /** The value of {@link #LEVEL} that leaves the level to the plugin. */
    public static final String AUTO = "auto";

    /** Spark's own setting for the options of an executor's JVM. */
    public static final String JAVA_OPTIONS = "spark.executor.extraJavaOptions";

    /** YARN puts these files into the working directory of an executor before it starts the JVM. */
    public static final String YARN_FILES = "spark.yarn.dist.files";

    /** The path of the agent's library on hosts and in images, as documented. */
    public static final String INSTALLED_LIBRARY = "/opt/berth/libberth.so";

    private SparkKeys() {}

    /** The agent's options for an executor that is bound to the domain before its JVM starts, heap included. */
    public static AgentOptions agent(String domain, MemoryMode memory) {
        AgentOptions bound = AgentOptions.ofDomain(DomainRequest.of(domain));
        return memory == MemoryMode.LOCAL ? bound : bound.withMemory(memory);
    }
}
