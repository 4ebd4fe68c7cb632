package org.berth.mapreduce.spark;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.spark.AffinityPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration of the application, from that of the job that starts it. */
final class ApplicationSettings {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationSettings.class);

    static final String MASTER = "berth.mapreduce.spark.master";
    static final String IDLE = "berth.mapreduce.spark.idle.seconds";
    static final List<String> PROPERTIES = List.of(MASTER, IDLE);
    static final String PLUGINS = "spark.plugins";

    /** Properties of Hadoop and of the embedded driver, and what Spark has for them. */
    private static final Map<String, String> INSTEAD = new TreeMap<>(Map.of(
            EngineSettings.THREADS,
            "spark.executor.cores, or local[N]",
            "mapreduce.map.memory.mb",
            "spark.executor.memory",
            "mapreduce.reduce.memory.mb",
            "spark.executor.memory",
            "mapreduce.map.speculative",
            "spark.speculation",
            "mapreduce.reduce.speculative",
            "spark.speculation",
            "mapreduce.job.running.map.limit",
            "spark.cores.max",
            "mapreduce.job.running.reduce.limit",
            "spark.cores.max"));

    private ApplicationSettings() {}

    /** Returns after how many seconds without a job the application ends. */
    static long idleSeconds(Configuration conf) {
        String text = conf.getTrimmed(IDLE, "60");
        try {
            long seconds = Long.parseLong(text);
            if (seconds > 0) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // The line below tells what is right.
        }
        throw new IllegalArgumentException(IDLE + " is '" + text + "': give a number of seconds from 1");
    }

    /** Returns a line for each property of a job that Spark has a setting of its own for. */
    static List<String> withoutEffect(Configuration job) {
        List<String> lines = new ArrayList<>();
        INSTEAD.forEach((key, instead) -> {
            String[] sources = job.getPropertySources(key);
            boolean given = job.get(key) != null && (sources == null || !sources[0].endsWith("-default.xml"));
            if (given) {
                lines.add(key + " has no effect on this job: its tasks are Spark's; use " + instead);
            }
        });
        return lines;
    }

    /**
     * Returns the settings: those of the job that begin with {@code spark.}, then system properties, then
     * {@code spark-defaults.conf}.
     */
    static SparkConf of(Configuration job) {
        SparkConf conf = new SparkConf(true);
        for (Map.Entry<String, String> setting : job) {
            if (setting.getKey().startsWith("spark.")) {
                conf.set(setting.getKey(), setting.getValue());
            }
        }
        defaults()
                .forEach((key, value) ->
                        conf.setIfMissing(key.toString(), value.toString().trim()));
        String master = job.getTrimmed(MASTER, conf.get("spark.master", "local[*]"));
        conf.setMaster(master);
        conf.setIfMissing("spark.app.name", "berth-mapreduce");
        plugins(conf, job.getTrimmed(EngineSettings.LEVEL, ""));
        String guard = job.getTrimmed(EngineSettings.GUARD, "");
        if (!guard.isEmpty()) {
            conf.setIfMissing("spark.berth.guard", guard);
        }
        if (!master.startsWith("local[") && !master.equals("local")) {
            ship(conf);
        }
        return conf;
    }

    /** Lets the driver and the executors talk, and places executors and tasks at the level that the job asks for. */
    private static void plugins(SparkConf conf, String level) {
        List<String> plugins = new ArrayList<>();
        for (String plugin : conf.get(PLUGINS, "").split(",", -1)) {
            if (!plugin.isBlank()) {
                plugins.add(plugin.trim());
            }
        }
        add(plugins, MapReducePlugin.class.getName());
        if (!level.isEmpty() && !level.equals("none")) {
            add(plugins, AffinityPlugin.class.getName());
            conf.setIfMissing("spark.berth.level", level);
        }
        conf.set(PLUGINS, String.join(",", plugins));
    }

    private static void add(List<String> plugins, String name) {
        if (!plugins.contains(name)) {
            plugins.add(name);
        }
    }

    /** Sends Berth's jars to the executors. */
    private static void ship(SparkConf conf) {
        try {
            Path own = place(ApplicationSettings.class);
            if (!Files.isRegularFile(own)) {
                return;
            }
            List<String> jars = new ArrayList<>();
            String given = conf.get("spark.jars", "");
            if (!given.isEmpty()) {
                jars.add(given);
            }
            if (own.equals(place(AffinityPlugin.class))) { // berth-hadoop, which is all of Berth
                jars.add(own.toUri().toString());
            } else {
                Path folder = own.toAbsolutePath().getParent();
                try (java.nio.file.DirectoryStream<Path> files = Files.newDirectoryStream(folder, "berth-*.jar")) {
                    files.forEach(file -> jars.add(file.toUri().toString()));
                }
            }
            conf.set("spark.jars", String.join(",", jars));
        } catch (IOException | java.net.URISyntaxException | RuntimeException e) {
            LOG.warn(
                    "cannot send Berth's jars to the executors: {}; add them to spark.executor.extraClassPath",
                    e.toString());
        }
    }

    private static Path place(Class<?> type) throws java.net.URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Properties defaults() {
        Properties properties = new Properties();
        String folder = System.getenv("SPARK_CONF_DIR");
        String home = System.getenv("SPARK_HOME");
        if (folder == null && home == null) {
            return properties;
        }
        Path file = Path.of(folder != null ? folder : home + "/conf", "spark-defaults.conf");
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                properties.load(reader);
            } catch (IOException e) {
                LOG.warn("cannot read {}: {}; its settings have no effect", file, e.toString());
            }
            properties.keySet().removeIf(key -> !key.toString().startsWith("spark."));
        }
        return properties;
    }
}
