package org.berth.calls;

import java.util.Locale;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.berth.jobkit.JobException;
import org.berth.jobkit.WayArm;
import org.berth.rpc.link.RpcCounters;

/** Hadoop's settings for a way, and the proof that calls took it. */
final class Ways {
    private static final String PREFIX = "berth.rpc.";
    private static final String INLINE = "inline";

    private Ways() {}

    static Configuration settings(WayArm way) {
        Configuration settings = new Configuration();
        // Both ends write a warning with the whole content of a call whose answer is larger, and spend minutes on it.
        settings.setInt("ipc.server.max.response.size", 64 << 20);
        // A client that is idle for a moment is not to connect again.
        settings.setInt("ipc.client.connection.maxidletime", 600_000);
        Echo.configure(settings, way.way() != WayArm.Way.STOCK);
        if (way.isProvider()) {
            settings.set(PREFIX + "providers", way.way().toString());
        }
        way.settings()
                .forEach((key, value) ->
                        settings.set(PREFIX + key, key.equals(INLINE) && value.equals("true") ? Echo.PROTOCOL : value));
        return settings;
    }

    /** Fails when some calls took another way, which would be measured in silence. */
    static void require(WayArm way, long calls) {
        if (way.way() == WayArm.Way.STOCK) {
            return;
        }
        long sent = counter("CallsSent");
        if (sent < calls) {
            throw JobException.failure("only " + sent + " of " + calls + " calls went over Berth's transport by way '"
                    + way + "'; the lines above tell why");
        }
        if (way.isProvider()) {
            String word = way.way().toString();
            String name = "Opened" + word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
            if (counter(name) != counter("ConnectionsOpened")) {
                throw JobException.failure("way '" + way + "': only " + counter(name) + " of "
                        + counter("ConnectionsOpened") + " connections are of " + word
                        + "; the lines above tell why, and berth transport devices what this host has");
            }
        }
    }

    /** Read from the source itself: what JMX shows is up to ten seconds old. */
    private static long counter(String name) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        RpcCounters.instance().getMetrics(collector, true);
        return collector.getRecords().stream()
                .flatMap(record -> StreamSupport.stream(record.metrics().spliterator(), false))
                .filter(metric -> metric.name().equals(name))
                .mapToLong(metric -> metric.value().longValue())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Berth's RPC has no counter " + name));
    }
}
