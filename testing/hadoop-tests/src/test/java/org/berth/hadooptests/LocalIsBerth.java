package org.berth.hadooptests;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.berth.mapreduce.client.BerthClientProvider;
import org.jspecify.annotations.Nullable;

/**
 * Takes the jobs that a test of Hadoop sends to the local runner by name. Hadoop asks providers in the order of the class path, and
 * this one stands before its own. The property {@code berth.tests.engine} decides.
 */
public final class LocalIsBerth extends ClientProtocolProvider {
    static final String ENGINE = "berth.tests.engine";
    private static final AtomicInteger CLIENTS = new AtomicInteger();

    static int clients() {
        return CLIENTS.get();
    }

    @Override
    @SuppressWarnings("NullAway") // null is Hadoop's word for: not mine
    public @Nullable ClientProtocol create(Configuration conf) throws IOException {
        String framework = conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
        boolean ourTurn = framework.equals(MRConfig.LOCAL_FRAMEWORK_NAME) || framework.equals("berth");
        if (!ourTurn || !System.getProperty(ENGINE, "").equals("berth")) {
            return null;
        }
        Configuration ours = new Configuration(conf);
        ours.set(MRConfig.FRAMEWORK_NAME, "berth");
        CLIENTS.incrementAndGet();
        return new BerthClientProvider().create(ours);
    }

    @Override
    @SuppressWarnings("NullAway")
    public @Nullable ClientProtocol create(InetSocketAddress address, Configuration conf) {
        return null;
    }

    @Override
    public void close(ClientProtocol client) {}
}
