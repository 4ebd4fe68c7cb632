package org.apache.hadoop.mapred;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;

/**
 * Stands in front of Hadoop's own class of this name. Tests that start a small YARN for their jobs get the engine under test
 * instead: what they check is the jobs.
 */
public final class MiniMRClientClusterFactory {
    private MiniMRClientClusterFactory() {}

    public static MiniMRClientCluster create(Class<?> caller, int nodes, Configuration conf) {
        return create(caller, caller.getSimpleName(), nodes, conf);
    }

    public static MiniMRClientCluster create(Class<?> caller, String name, int nodes, Configuration conf) {
        Configuration ours = new Configuration(conf);
        ours.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
        return new NoCluster(ours);
    }

    private record NoCluster(Configuration conf) implements MiniMRClientCluster {
        @Override
        public void start() {}

        @Override
        public void restart() {}

        @Override
        public void stop() {}

        @Override
        public Configuration getConfig() {
            return conf;
        }
    }
}
