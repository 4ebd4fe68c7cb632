package org.berth.yarn;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/**
 * Tasks of Hadoop's own classes that do not end before they have been looked at: a file with the name of the container asks
 * for it, and another one says that it was done.
 */
final class SeenTasks {
    static final String FOLDER = "berth.test.seen";

    private static final String ASKS = ".asks";
    private static final String SEEN = ".seen";

    private SeenTasks() {}

    static final class Counting extends TokenCounterMapper {
        @Override
        protected void cleanup(Mapper<Object, Text, Text, IntWritable>.Context context)
                throws IOException, InterruptedException {
            awaitLook(context.getConfiguration());
        }
    }

    static final class Summing extends IntSumReducer<Object> {
        @Override
        protected void cleanup(Reducer<Object, IntWritable, Object, IntWritable>.Context context)
                throws IOException, InterruptedException {
            awaitLook(context.getConfiguration());
        }
    }

    private static void awaitLook(Configuration settings) throws IOException, InterruptedException {
        Path folder = Path.of(settings.get(FOLDER));
        String container = System.getenv("CONTAINER_ID");
        Files.createFile(folder.resolve(container + ASKS));
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (!Files.exists(folder.resolve(container + SEEN)) && System.nanoTime() < end) {
            Thread.sleep(20);
        }
    }

    /** Containers whose tasks wait now. */
    static List<String> waiting(Path folder) throws IOException {
        List<String> containers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + ASKS)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                containers.add(name.substring(0, name.length() - ASKS.length()));
            }
        }
        return containers;
    }

    /** Lets one that waits end. */
    static void release(Path folder, String container) throws IOException {
        Files.createFile(folder.resolve(container + SEEN));
        Files.delete(folder.resolve(container + ASKS));
    }
}
