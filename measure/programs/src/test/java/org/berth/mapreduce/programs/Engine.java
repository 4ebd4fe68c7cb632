package org.berth.mapreduce.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** What runs the jobs of a program, in this JVM. */
enum Engine {
    LOCAL("local", "none"),
    EMBEDDED("berth", "embedded"),
    SPARK("berth", "spark");

    private final String framework;
    private final String driver;

    Engine(String framework, String driver) {
        this.framework = framework;
        this.driver = driver;
    }

    /** Runs a program that has to succeed. */
    void run(Path work, String... words) throws Exception {
        assertThat(Programs.run(conf(work), words))
                .as(this + ": " + String.join(" ", words))
                .isZero();
    }

    /** Settings of a client whose files are below the folder. */
    Configuration conf(Path work) {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", "file:///");
        conf.set("hadoop.tmp.dir", work.resolve("tmp-" + this).toString());
        conf.set("mapreduce.cluster.local.dir", work.resolve("local-" + this).toString());
        conf.set(
                "mapreduce.jobtracker.staging.root.dir", work.resolve("staging").toString());
        conf.set("mapreduce.framework.name", framework);
        if (this != LOCAL) {
            conf.set("berth.mapreduce.engine", driver);
        }
        if (this == SPARK) {
            conf.set("berth.mapreduce.spark.master", "local[2]");
            conf.set("spark.ui.enabled", "false");
        }
        conf.setInt("mapreduce.client.completion.pollinterval", 20);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 20);
        return conf;
    }

    /** Contents of all files that a reader of the output sees; Latin-1 keeps every byte. */
    static Map<String, String> output(Path folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.getFileName().toString().startsWith(".")) {
                    result.put(folder.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
        }
        return result;
    }
}
