package org.berth.mapreduce.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Runs an unmodified program on one of the two engines, and reads what it wrote. */
final class JobRun {
    private JobRun() {}

    static Configuration conf(String framework, Path work) {
        Configuration conf = new Configuration();
        conf.set("mapreduce.framework.name", framework);
        conf.set("hadoop.tmp.dir", work.resolve("tmp-" + framework).toString());
        conf.set(
                "mapreduce.cluster.local.dir",
                work.resolve("local-" + framework).toString());
        conf.set(
                "mapreduce.jobtracker.staging.root.dir", work.resolve("staging").toString());
        conf.set("fs.defaultFS", "file:///");
        conf.setInt("mapreduce.client.completion.pollinterval", 50);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 50);
        return conf;
    }

    static int run(Configuration conf, Tool tool, String... arguments) throws Exception {
        return ToolRunner.run(conf, tool, arguments);
    }

    /** Contents of all files that a reader of the output sees, and of {@code _SUCCESS}; Latin-1 keeps every byte. */
    static Map<String, String> output(Path folder) throws IOException {
        Map<String, String> result = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                if (!file.getFileName().toString().startsWith(".")) {
                    result.put(name, Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1));
                }
            }
        }
        return result;
    }
}
