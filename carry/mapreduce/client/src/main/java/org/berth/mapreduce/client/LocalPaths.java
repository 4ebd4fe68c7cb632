package org.berth.mapreduce.client;

import java.util.Arrays;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** The paths of the distributed cache in a job's configuration. */
final class LocalPaths {
    private LocalPaths() {}

    /** Makes URIs plain paths: programs expect these, and those that open them with java.io fail with the local runner's URIs. */
    static void plain(JobConf conf) {
        for (String key : new String[] {MRJobConfig.CACHE_LOCALFILES, MRJobConfig.CACHE_LOCALARCHIVES}) {
            String[] paths = conf.getStrings(key);
            if (paths != null) {
                conf.setStrings(
                        key,
                        Arrays.stream(paths)
                                .map(path -> new Path(path).toUri().getPath())
                                .toArray(String[]::new));
            }
        }
    }
}
