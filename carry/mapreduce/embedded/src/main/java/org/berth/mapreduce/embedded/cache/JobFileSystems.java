package org.berth.mapreduce.embedded.cache;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BerthLocalFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BerthDfsClient;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.berth.mapreduce.client.EngineSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file systems that a job names, apart from the local one: HDFS gets blocks in memory, others are named in the log. */
final class JobFileSystems {
    private static final Logger LOG = LoggerFactory.getLogger(JobFileSystems.class);

    /** By its name: nothing of HDFS is loaded before a job needs it. */
    private static final String HDFS = "org.apache.hadoop.hdfs.DistributedFileSystem";

    private JobFileSystems() {}

    /** Puts the cache below the calling user's file systems of a job. Returns those with HDFS. */
    static List<URI> install(Configuration conf) {
        List<URI> installed = new ArrayList<>();
        Set<URI> all = new LinkedHashSet<>();
        try {
            addAll(conf, all);
        } catch (IllegalArgumentException e) {
            // Properties of another InputFormat, or a path that is going to fail the job.
            LOG.debug("not a path", e);
        }
        for (URI uri : all) {
            String why;
            try {
                why = "hdfs".equals(uri.getScheme())
                        ? install(uri, conf)
                        : "only files of file: and hdfs: are kept in memory";
            } catch (IOException | RuntimeException | LinkageError e) {
                why = e.toString();
            }
            if (why.isEmpty()) {
                installed.add(uri);
            } else {
                LOG.warn("{} has no effect on files of {}: {}", EngineSettings.CACHE, uri, why);
            }
        }
        return installed;
    }

    /** Does the same for another user, whose file systems are others. */
    static void installAgain(List<URI> installed, Configuration conf) throws IOException {
        BerthLocalFileSystem.install(FileSystem.getLocal(conf));
        for (URI uri : installed) {
            BerthDfsClient.install(FileSystem.get(uri, conf));
        }
    }

    /** Returns why files there are not kept; empty when they are. */
    private static String install(URI uri, Configuration conf) throws IOException {
        if (conf.getBoolean("fs.hdfs.impl.disable.cache", false)) {
            return "fs.hdfs.impl.disable.cache gives each task a file system of its own";
        }
        FileSystem fileSystem = FileSystem.get(uri, conf);
        String name = fileSystem.getClass().getName();
        return name.equals(HDFS) && BerthDfsClient.install(fileSystem) ? "" : "hdfs: is " + name + " here";
    }

    /** Those of input and output, and of paths without a scheme when it is HDFS. */
    private static void addAll(Configuration conf, Set<URI> result) {
        URI byDefault = FileSystem.getDefaultUri(conf);
        if ("hdfs".equals(byDefault.getScheme())) {
            result.add(root(byDefault));
        }
        for (Path path : FileInputFormat.getInputPaths(new JobConf(conf))) {
            add(path, result);
        }
        for (String input : conf.getTrimmedStrings(MultipleInputs.DIR_FORMATS)) {
            add(new Path(input.substring(0, Math.max(1, input.lastIndexOf(';')))), result);
        }
        String output = conf.get(FileOutputFormat.OUTDIR);
        if (output != null) {
            add(new Path(output), result);
        }
        for (String nameNode : conf.getTrimmedStrings(MRJobConfig.JOB_NAMENODES)) {
            add(new Path(nameNode), result);
        }
    }

    private static void add(Path path, Set<URI> uris) {
        String scheme = path.toUri().getScheme();
        if (scheme != null && !scheme.equals("file")) {
            uris.add(root(path.toUri()));
        }
    }

    private static URI root(URI uri) {
        return URI.create(uri.getScheme() + "://" + (uri.getAuthority() == null ? "" : uri.getAuthority()) + "/");
    }
}
