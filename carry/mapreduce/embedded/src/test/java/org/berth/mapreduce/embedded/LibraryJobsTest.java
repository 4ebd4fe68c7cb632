package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.lib.chain.ChainMapper;
import org.apache.hadoop.mapreduce.lib.chain.ChainReducer;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.map.InverseMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.LazyOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.InputSampler;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs with Hadoop's library classes, on Hadoop's local runner and on this engine: the same files with the same bytes. */
@Tag("one-jdk")
class LibraryJobsTest {
    @TempDir
    Path work;

    @BeforeEach
    void input() throws IOException {
        Random random = new Random(7);
        for (String folder : new String[] {"pairs", "more"}) {
            Files.createDirectories(work.resolve(folder));
            for (int f = 0; f < 2; f++) {
                Files.writeString(
                        work.resolve(folder).resolve("f" + f),
                        Stream.generate(() -> "k" + Integer.toString(random.nextInt(400), 36) + "\t"
                                        + random.nextInt(1_000_000))
                                .limit(500)
                                .distinct()
                                .collect(Collectors.joining("\n", "", "\n")));
            }
        }
    }

    private org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(work.resolve(name).toString());
    }

    private interface SetUp {
        void of(Job job) throws Exception;
    }

    /** Runs the job on both engines; returns the files of the second after they were compared. */
    private Map<String, String> both(SetUp setUp) throws Exception {
        Map<String, Map<String, String>> outputs = new TreeMap<>();
        Map<String, Map<String, Long>> counters = new TreeMap<>();
        for (String framework : new String[] {"local", "berth"}) {
            Configuration conf = TestJobs.conf(framework, work);
            Job job = Job.getInstance(conf);
            job.setInputFormatClass(KeyValueTextInputFormat.class);
            job.setOutputKeyClass(Text.class);
            job.setOutputValueClass(Text.class);
            job.setNumReduceTasks(3);
            FileOutputFormat.setOutputPath(job, path("out-" + framework));
            setUp.of(job);
            assertThat(job.waitForCompletion(false)).isTrue();
            outputs.put(framework, TestJobs.output(work.resolve("out-" + framework)));
            Map<String, Long> own = new TreeMap<>();
            job.getCounters().forEach(group -> {
                if (group.getName().equals("test") || group.getName().contains("MultipleOutputs")) {
                    group.forEach(counter -> own.put(counter.getName(), counter.getValue()));
                }
            });
            counters.put(framework, own);
        }
        assertThat(outputs.get("berth")).isEqualTo(outputs.get("local"));
        assertThat(counters.get("berth")).isEqualTo(counters.get("local"));
        return outputs.getOrDefault("berth", Map.of());
    }

    /** Values of a key in their own order: the order of equal keys is each engine's. */
    static final class Sorted extends Reducer<Text, Text, Text, Text> {
        @Override
        protected void reduce(Text key, Iterable<Text> values, Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            java.util.List<String> texts = new java.util.ArrayList<>();
            values.forEach(value -> texts.add(value.toString()));
            context.getCounter("test", "groups").increment(1);
            for (String text : texts.stream().sorted().toList()) {
                context.write(key, new Text(text));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {GzipCodec.class, BZip2Codec.class, DefaultCodec.class})
    void compressedMapOutputAndOutputWithEitherCommitter(Class<? extends CompressionCodec> codec) throws Exception {
        Map<String, String> out = both(job -> {
            Configuration conf = job.getConfiguration();
            conf.setBoolean("mapreduce.map.output.compress", true);
            conf.setClass("mapreduce.map.output.compress.codec", codec, CompressionCodec.class);
            conf.setInt("mapreduce.fileoutputcommitter.algorithm.version", codec == GzipCodec.class ? 1 : 2);
            // Without room for blocks, so that the codec is used.
            conf.set(EngineSettings.MEMORY, "8k");
            conf.set(EngineSettings.BUFFER, "1k");
            conf.set(EngineSettings.SORT, "2k");
            job.setReducerClass(Sorted.class);
            FileInputFormat.addInputPath(job, path("pairs"));
            FileOutputFormat.setCompressOutput(job, true);
            FileOutputFormat.setOutputCompressorClass(job, codec);
        });
        assertThat(out).hasSize(4).containsKey("_SUCCESS");
    }

    @Test
    void totalOrderPartitioner() throws Exception {
        Map<String, String> out = both(job -> {
            FileInputFormat.addInputPath(job, path("pairs"));
            job.setMapOutputKeyClass(Text.class);
            job.setReducerClass(Sorted.class);
            job.setPartitionerClass(TotalOrderPartitioner.class);
            TotalOrderPartitioner.setPartitionFile(job.getConfiguration(), path("partitions"));
            InputSampler.writePartitionFile(job, new InputSampler.SplitSampler<Text, Text>(200));
        });
        String all = out.get("part-r-00000") + out.get("part-r-00001") + out.get("part-r-00002");
        assertThat(all.lines().map(line -> line.substring(0, line.indexOf('\t'))))
                .isSorted()
                .isNotEmpty();
        assertThat(out.get("part-r-00002")).isNotEmpty();
    }

    static final class Lengths extends Mapper<LongWritable, Text, Text, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(
                    new Text("l" + value.getLength()), new Text(value.toString().replace('\t', '_')));
        }
    }

    static final class TwoOutputs extends Reducer<Text, Text, Text, Text> {
        private @Nullable MultipleOutputs<Text, Text> outputs;

        @Override
        protected void setup(Reducer<Text, Text, Text, Text>.Context context) {
            outputs = new MultipleOutputs<>(context);
        }

        @Override
        protected void reduce(Text key, Iterable<Text> values, Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            long count = 0;
            for (Text value : values) {
                count += value.getLength() > 0 ? 1 : 0;
            }
            Objects.requireNonNull(outputs)
                    .write(key.toString().startsWith("l") ? "lengths" : "keys", key, new Text(Long.toString(count)));
        }

        @Override
        protected void cleanup(Reducer<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            Objects.requireNonNull(outputs).close();
        }
    }

    @Test
    void multipleInputsMultipleOutputsAndLazyOutput() throws Exception {
        Map<String, String> out = both(job -> {
            MultipleInputs.addInputPath(job, path("pairs"), KeyValueTextInputFormat.class, Mapper.class);
            MultipleInputs.addInputPath(job, path("more"), TextInputFormat.class, Lengths.class);
            job.setReducerClass(TwoOutputs.class);
            LazyOutputFormat.setOutputFormatClass(job, TextOutputFormat.class);
            MultipleOutputs.addNamedOutput(job, "keys", TextOutputFormat.class, Text.class, Text.class);
            MultipleOutputs.addNamedOutput(job, "lengths", TextOutputFormat.class, Text.class, Text.class);
            MultipleOutputs.setCountersEnabled(job, true);
        });
        assertThat(out.keySet())
                .noneMatch(name -> name.startsWith("part"))
                .anyMatch(name -> name.startsWith("lengths-r"));
    }

    @Test
    void chainsOfMappers() throws Exception {
        both(job -> {
            FileInputFormat.addInputPath(job, path("pairs"));
            Configuration none = new Configuration(false);
            ChainMapper.addMapper(job, InverseMapper.class, Text.class, Text.class, Text.class, Text.class, none);
            ChainMapper.addMapper(job, InverseMapper.class, Text.class, Text.class, Text.class, Text.class, none);
            ChainReducer.setReducer(job, Sorted.class, Text.class, Text.class, Text.class, Text.class, none);
            ChainReducer.addMapper(job, InverseMapper.class, Text.class, Text.class, Text.class, Text.class, none);
        });
    }

    /** Reads a file of the distributed cache, and changes its configuration, which no other task may see. */
    static final class Cached extends Mapper<Text, Text, Text, Text> {
        @Override
        @SuppressWarnings("deprecation")
        protected void map(Text key, Text value, Mapper<Text, Text, Text, Text>.Context context)
                throws IOException, InterruptedException {
            Configuration conf = context.getConfiguration();
            String seen = conf.get("test.seen", "none");
            String task = context.getTaskAttemptID().getTaskID().toString();
            if (!seen.equals("none") && !seen.equals(task)) {
                throw new IOException("the configuration is another task's: " + seen);
            }
            conf.set("test.seen", task);
            String local = context.getLocalCacheFiles()[0].toUri().getPath();
            try (BufferedReader reader = Files.newBufferedReader(Path.of(local))) {
                context.write(key, new Text(value + reader.readLine()));
            }
        }
    }

    @Test
    void cacheFilesAndAConfigurationForEachTask() throws Exception {
        Files.writeString(work.resolve("cached"), "-from the cache\n");
        Map<String, String> out = both(job -> {
            FileInputFormat.addInputPath(job, path("pairs"));
            job.setMapperClass(Cached.class);
            job.setReducerClass(Sorted.class);
            job.addCacheFile(URI.create("file://" + work.resolve("cached")));
        });
        assertThat(out.get("part-r-00000")).contains("-from the cache");
    }
}
