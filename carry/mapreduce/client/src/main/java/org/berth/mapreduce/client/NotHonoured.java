package org.berth.mapreduce.client;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Properties of a job that this engine cannot follow: one line for each, at the start of the job. */
final class NotHonoured {
    private NotHonoured() {}

    static List<String> warnings(JobConf conf) {
        List<String> result = new ArrayList<>();
        if (conf.getBoolean(
                MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA, MRJobConfig.DEFAULT_MR_ENCRYPTED_INTERMEDIATE_DATA)) {
            result.add(line(
                    MRJobConfig.MR_ENCRYPTED_INTERMEDIATE_DATA,
                    "spill files are not encrypted; keep mapreduce.cluster.local.dir on an encrypted disk"));
        }
        String collector = conf.get(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, "");
        if (!collector.isEmpty() && !collector.startsWith("org.apache.hadoop.mapred.MapTask$")) {
            result.add(line(MRJobConfig.MAP_OUTPUT_COLLECTOR_CLASS_ATTR, "the engine has its own collector"));
        }
        String shuffle = conf.get(MRConfig.SHUFFLE_CONSUMER_PLUGIN, "");
        if (!shuffle.isEmpty() && !shuffle.equals("org.apache.hadoop.mapreduce.task.reduce.Shuffle")) {
            result.add(line(MRConfig.SHUFFLE_CONSUMER_PLUGIN, "the engine has its own shuffle"));
        }
        if ((!conf.get("mapred.child.java.opts", "").isEmpty() && !isDefault(conf, "mapred.child.java.opts"))
                || !conf.get("mapreduce.map.java.opts", "").isEmpty()
                || !conf.get("mapreduce.reduce.java.opts", "").isEmpty()) {
            result.add(line("mapreduce.*.java.opts", "tasks run in the client's JVM; give it these options"));
        }
        if (conf.getProfileEnabled()) {
            result.add(line("mapreduce.task.profile", "tasks run in the client's JVM; profile that"));
        }
        return result;
    }

    private static boolean isDefault(JobConf conf, String key) {
        String[] sources = conf.getPropertySources(key);
        return conf.get(key, "").equals("-Xmx200m") || (sources != null && sources[0].endsWith("-default.xml"));
    }

    private static String line(String key, String why) {
        return key + " has no effect on this job: " + why;
    }
}
