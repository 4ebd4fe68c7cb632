package org.berth.transport;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.transport.failure.TransportException;
import org.berth.transport.internal.stream.LocalSockets;
import org.berth.transport.internal.stream.StreamLoops;
import org.berth.transport.internal.stream.StreamPoller;
import org.berth.transport.internal.stream.StreamProvider;
import org.berth.transport.internal.stream.TcpSockets;
import org.berth.transport.internal.threads.ProgressThread;
import org.berth.transport.internal.threads.Spinners;
import org.berth.transport.internal.ucx.UcxLibrary;
import org.berth.transport.internal.ucx.UcxProvider;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.Provider;
import org.berth.transport.progress.WaitMode;
import org.berth.transport.settings.TransportSettings;

/** The providers of an engine and the threads that drive them. */
final class Providers implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Providers.class.getName());

    private final List<ProgressThread<?>> threads = new ArrayList<>();
    private final Map<String, Provider> others = new LinkedHashMap<>();
    private final Provider tcp;

    Providers(TransportSettings settings, EngineParts parts, Runnable place) throws TransportException {
        try {
            StreamLoops streams = streamLoops(settings, place);
            this.tcp = new StreamProvider(new TcpSockets(), streams, parts);
            for (String name : settings.providers()) {
                switch (name) {
                    case "tcp" -> {
                        // Always there, and the last one.
                    }
                    case "local" ->
                        others.put(
                                name, new StreamProvider(new LocalSockets(settings.localDirectory()), streams, parts));
                    case "ucx" -> addUcx(settings, parts, place);
                    default ->
                        throw new TransportException(
                                TransportException.Kind.UNAVAILABLE,
                                "unknown provider '" + name + "': choose ucx, local or tcp");
                }
            }
        } catch (TransportException e) {
            close();
            throw e;
        }
    }

    private StreamLoops streamLoops(TransportSettings settings, Runnable place) throws TransportException {
        // Where UCX carries the messages, sockets only tell of peers that come and go.
        WaitMode mode = settings.providers().contains("ucx") && settings.waitMode() == WaitMode.SPIN
                ? WaitMode.EVENT
                : Spinners.allowed(settings);
        List<StreamLoops.StreamLoop> loops = new ArrayList<>();
        for (int i = 0; i < settings.threads(); i++) {
            ProgressThread<StreamPoller> thread =
                    new ProgressThread<>(settings.name() + "-" + i, mode, place, StreamPoller::new);
            threads.add(thread);
            loops.add(new StreamLoops.StreamLoop(thread.loop(), thread.poller()));
        }
        return new StreamLoops(loops);
    }

    private void addUcx(TransportSettings settings, EngineParts parts, Runnable place) {
        UcxLibrary.Check check = UcxLibrary.check();
        if (!check.works()) {
            LOG.log(Logger.Level.INFO, "berth: provider ucx is not used: " + check.reason());
            return;
        }
        try {
            others.put("ucx", UcxProvider.start(settings, parts, place, threads));
        } catch (TransportException e) {
            LOG.log(Logger.Level.WARNING, "berth: provider ucx is not used: " + e.getMessage());
        }
    }

    Provider tcp() {
        return tcp;
    }

    /** Those in addition to TCP, the preferred one first. */
    Map<String, Provider> others() {
        return others;
    }

    @Override
    public void close() {
        threads.forEach(ProgressThread::close);
        others.values().forEach(Provider::close);
    }
}
