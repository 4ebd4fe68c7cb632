package org.berth.mapreduce.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.berth.mapreduce.runtime.HadoopPackage;
import org.jspecify.annotations.Nullable;

/** Found by Hadoop's client through {@code java.util.ServiceLoader}; it takes the jobs with {@code mapreduce.framework.name=berth}. */
public final class BerthClientProvider extends ClientProtocolProvider {
    @Override
    @SuppressWarnings("NullAway") // null is Hadoop's word for: not mine
    public @Nullable ClientProtocol create(Configuration conf) throws IOException {
        if (!conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME).equals("berth")) {
            return null;
        }
        // The jar may have come with the program, by -libjars or spark-submit's --jars.
        HadoopPackage.complete();
        return new BerthClient(conf);
    }

    @Override
    @SuppressWarnings("NullAway")
    public @Nullable ClientProtocol create(InetSocketAddress address, Configuration conf) {
        return null;
    }

    @Override
    public void close(ClientProtocol client) {}
}
