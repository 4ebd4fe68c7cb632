package org.berth.mapreduce.runtime.blocks;

import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/** The codec of map output, for what goes to files. Blocks in memory are not compressed. */
public final class MapCodec {
    private MapCodec() {}

    public static @Nullable CompressionCodec of(JobConf job) {
        return job.getCompressMapOutput()
                ? ReflectionUtils.newInstance(job.getMapOutputCompressorClass(DefaultCodec.class), job)
                : null;
    }
}
