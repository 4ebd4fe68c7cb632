package org.berth.rpc.link;

import org.apache.hadoop.conf.Configuration;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;

/**
 * The transport of this process for its servers, and the one for its clients; each begins at first use, by the settings of
 * its first user, and lasts as long as the process. They are two so that a server whose queue of calls is full holds back
 * its own clients only, not the replies that its handlers wait for. Thread-safe.
 */
public final class RpcTransports {
    private static @Nullable Transport servers;
    private static @Nullable Transport clients;

    private RpcTransports() {}

    /** The transport of all servers of this process. */
    public static synchronized Transport servers(RpcSettings settings, Configuration configuration)
            throws TransportException {
        Transport known = servers;
        if (known == null) {
            known = open(settings.transport("berth-rpc-server", configuration), "RPC servers");
            servers = known;
        }
        return known;
    }

    /** The transport of all clients of this process. */
    public static synchronized Transport clients(RpcSettings settings, Configuration configuration)
            throws TransportException {
        Transport known = clients;
        if (known == null) {
            known = open(settings.transport("berth-rpc-client", configuration), "RPC clients");
            clients = known;
        }
        return known;
    }

    private static Transport open(TransportSettings settings, String users) throws TransportException {
        Transport transport = Transport.open(settings);
        RpcCounters.instance().register();
        RpcLog.tell("transport of " + users + ": providers " + String.join(", ", settings.providers()) + ", wait mode "
                + settings.waitMode().word() + ", threads " + settings.threads());
        return transport;
    }

    /** The transports that run, for counters. */
    static synchronized long[] messages() {
        long[] sums = new long[5];
        for (Transport transport : new @Nullable Transport[] {servers, clients}) {
            if (transport != null) {
                var statistics = transport.statistics();
                sums[0] += statistics.messagesSent();
                sums[1] += statistics.bytesSent();
                sums[2] += statistics.messagesReceived();
                sums[3] += statistics.bytesReceived();
                sums[4] += statistics.leasedBuffers();
            }
        }
        return sums;
    }
}
