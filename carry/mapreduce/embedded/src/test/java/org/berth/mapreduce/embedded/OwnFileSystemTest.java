package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.berth.hadoopjobs.TestJobs;
import org.berth.mapreduce.client.EngineSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that close their file system on a real HDFS, which does nothing for a client that is closed. */
@Tag("one-jdk")
@Tag("cluster")
@Timeout(120)
@ExtendWith(SharedHdfs.class)
class OwnFileSystemTest {
    private static final String CLOSES = "test.closes";
    private static final int FILES = 6;

    @TempDir
    Path work;

    private FileSystem plain;

    @BeforeEach
    void input() throws IOException {
        plain = SharedHdfs.connect();
        for (int i = 0; i < FILES; i++) {
            try (FSDataOutputStream out = plain.create(path("in/" + i))) {
                out.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @AfterEach
    void empty() throws IOException {
        plain.delete(path(""), true);
        plain.close();
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path("/own/" + name);
    }

    private Configuration conf(boolean closes) throws IOException {
        Configuration conf = TestJobs.conf("berth", work);
        conf.set("fs.defaultFS", SharedHdfs.cluster().getURI().toString());
        conf.setInt("dfs.replication", 1);
        conf.setInt(EngineSettings.THREADS, 2);
        conf.setBoolean(CLOSES, closes);
        conf.setInt("mapreduce.map.maxattempts", 1);
        conf.setInt("mapreduce.reduce.maxattempts", 1);
        return conf;
    }

    private static void closeIfAsked(Configuration conf) throws IOException {
        if (conf.getBoolean(CLOSES, false)) {
            FileSystem.get(conf).close();
        }
    }

    static final class ClosingMapper extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            closeIfAsked(context.getConfiguration());
        }

        @Override
        protected void cleanup(Mapper<LongWritable, Text, LongWritable, Text>.Context context) throws IOException {
            closeIfAsked(context.getConfiguration());
        }
    }

    static final class ClosingReducer extends Reducer<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void reduce(
                LongWritable key,
                Iterable<Text> values,
                Reducer<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            for (Text value : values) {
                context.write(key, value);
            }
            closeIfAsked(context.getConfiguration());
        }

        @Override
        protected void cleanup(Reducer<LongWritable, Text, LongWritable, Text>.Context context) throws IOException {
            closeIfAsked(context.getConfiguration());
        }
    }

    private Job job(Configuration conf, String out) throws IOException {
        Job job = Job.getInstance(conf);
        job.setMapperClass(ClosingMapper.class);
        job.setReducerClass(ClosingReducer.class);
        job.setNumReduceTasks(2);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        org.apache.hadoop.mapreduce.lib.input.FileInputFormat.addInputPath(job, path("in"));
        org.apache.hadoop.mapreduce.lib.output.FileOutputFormat.setOutputPath(job, path(out));
        return job;
    }

    /** A reader that closes the file system that it has opened its file with. */
    static final class ClosingFormat extends TextInputFormat {
        @Override
        public RecordReader<LongWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
            return new LineRecordReader() {
                private final List<FileSystem> opened = new ArrayList<>();

                @Override
                public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
                    super.initialize(split, context);
                    opened.add(FileSystem.get(context.getConfiguration()));
                }

                @Override
                public synchronized void close() throws IOException {
                    super.close();
                    for (FileSystem fileSystem : opened) {
                        fileSystem.close();
                    }
                }
            };
        }
    }

    /** The same in the old API. */
    static final class OldMapper extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, LongWritable, Text> {
        private Configuration conf = new Configuration(false);

        @Override
        public void configure(JobConf newConf) {
            conf = newConf;
        }

        @Override
        public void map(LongWritable key, Text value, OutputCollector<LongWritable, Text> output, Reporter reporter)
                throws IOException {
            output.collect(key, value);
            closeIfAsked(conf);
        }

        @Override
        public void close() throws IOException {
            closeIfAsked(conf);
        }
    }

    static final class OldReducer extends MapReduceBase
            implements org.apache.hadoop.mapred.Reducer<LongWritable, Text, LongWritable, Text> {
        private Configuration conf = new Configuration(false);

        @Override
        public void configure(JobConf newConf) {
            conf = newConf;
        }

        @Override
        public void reduce(
                LongWritable key, Iterator<Text> values, OutputCollector<LongWritable, Text> output, Reporter reporter)
                throws IOException {
            while (values.hasNext()) {
                output.collect(key, values.next());
            }
            closeIfAsked(conf);
        }

        @Override
        public void close() throws IOException {
            closeIfAsked(conf);
        }
    }

    private void assertThatAllIsThere() throws IOException {
        assertThat(lines("out")).hasSize(2 * FILES);
        assertThat(plain.exists(path("out/_SUCCESS"))).isTrue();
        assertThat(plain.exists(path("out/_temporary"))).isFalse();
    }

    private List<String> lines(String folder) throws IOException {
        List<String> lines = new ArrayList<>();
        for (FileStatus file : plain.listStatus(path(folder))) {
            try (InputStream in = plain.open(file.getPath())) {
                lines.addAll(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList());
            }
        }
        return lines;
    }

    @Test
    void oldApi() throws Exception {
        JobConf job = new JobConf(conf(true));
        job.setMapperClass(OldMapper.class);
        job.setReducerClass(OldReducer.class);
        job.setNumReduceTasks(2);
        job.setOutputKeyClass(LongWritable.class);
        job.setOutputValueClass(Text.class);
        FileInputFormat.addInputPath(job, path("in"));
        FileOutputFormat.setOutputPath(job, path("out"));
        assertThat(JobClient.runJob(job).isSuccessful()).isTrue();
        assertThatAllIsThere();
    }

    private static final Set<FileSystem> SEEN =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /** Notes its file system, which stays open, also in a thread of its own. */
    static final class Sees extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            FileSystem own = FileSystem.get(context.getConfiguration());
            SEEN.add(own);
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            Thread thread = new Thread(() -> {
                try {
                    own.getFileStatus(path("in"));
                    assertThat(FileSystem.get(context.getConfiguration())).isSameAs(own);
                } catch (IOException | AssertionError e) {
                    failures.add(e);
                }
            });
            thread.start();
            thread.join();
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void fileSystemsAreUsedAgainAndAreNotTheClients() throws Exception {
        SEEN.clear();
        for (int i = 0; i < 2; i++) {
            Job job = job(conf(false), "out" + i);
            job.setMapperClass(Sees.class);
            assertThat(job.waitForCompletion(false)).isTrue();
        }
        // One for each of two attempts that run at a time; 12 maps ran.
        assertThat(SEEN).hasSizeBetween(1, 2).doesNotContain(FileSystem.get(conf(false)));
        // As long as they are open.
        SEEN.iterator().next().getFileStatus(path("in"));
    }

    /** The identity of another user's tasks. */
    static final class IsSomeone extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void setup(Mapper<LongWritable, Text, LongWritable, Text>.Context context) throws IOException {
            UserGroupInformation user = UserGroupInformation.getCurrentUser();
            assertThat(user.getShortUserName()).isEqualTo("someone");
            assertThat(user.getTokens()).extracting(Token::getService).containsExactly(new Text("service"));
            SEEN.add(FileSystem.get(context.getConfiguration()));
        }
    }

    @Test
    void fileSystemsOfAnotherUserAreClosedAtTheEnd() throws Exception {
        SEEN.clear();
        plain.setPermission(path(""), FsPermission.createImmutable((short) 0777));
        UserGroupInformation someone = UserGroupInformation.createRemoteUser("someone");
        someone.addToken(
                new Token<TokenIdentifier>(new byte[] {1}, new byte[] {2}, new Text("kind"), new Text("service")));
        someone.doAs((PrivilegedExceptionAction<Boolean>) () -> {
            Job job = job(conf(true), "out");
            job.setMapperClass(IsSomeone.class);
            assertThat(job.waitForCompletion(false))
                    .as(job.getStatus().getFailureInfo())
                    .isTrue();
            FileSystem.get(conf(false)).getFileStatus(path("out"));
            return true;
        });
        assertThatAllIsThere();
        assertThat(plain.getFileStatus(path("out/_SUCCESS")).getOwner()).isEqualTo("someone");
        assertThat(SEEN)
                .isNotEmpty()
                .allSatisfy(fileSystem -> assertThatThrownBy(() -> fileSystem.getFileStatus(path("in")))
                        .hasMessage("Filesystem closed"));
        FileSystem.closeAllForUGI(someone);
    }

    @Test
    void newApi() throws Exception {
        Job job = job(conf(true), "out");
        job.setInputFormatClass(ClosingFormat.class);
        assertThat(job.waitForCompletion(false))
                .as(job.getStatus().getFailureInfo())
                .isTrue();
        assertThatAllIsThere();
    }
}
