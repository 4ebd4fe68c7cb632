package org.berth.microbenchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.openjdk.jmh.results.RunResult;

/** CPU nanoseconds of one operation, by operation and peer, one for each round. */
final class Samples {
    private final Map<String, Map<Peer, List<Double>>> nanosByOperation = new LinkedHashMap<>();

    /** CPU time, see {@link ThreadCpuTime}. */
    void add(RunResult result) {
        add(
                result.getParams().getBenchmark(),
                Objects.requireNonNull(result.getSecondaryResults().get(ThreadCpuTime.LABEL), "no CPU time")
                        .getScore());
    }

    /** The name is that of a benchmark method: an operation and a peer. */
    void add(String benchmark, double nanos) {
        String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
        Peer peer = peerOf(method);
        String operation = method.substring(0, method.length() - peer.name().length());
        nanosByOperation
                .computeIfAbsent(operation, key -> new EnumMap<>(Peer.class))
                .computeIfAbsent(peer, key -> new ArrayList<>())
                .add(nanos);
    }

    Set<String> operations() {
        return nanosByOperation.keySet();
    }

    /** Empty when the peer does not do it. */
    List<Double> nanos(String operation, Peer peer) {
        return nanosByOperation.getOrDefault(operation, Map.of()).getOrDefault(peer, List.of());
    }

    /** Berth's time over the peer's, round by round. */
    List<Double> ratios(String operation, Peer peer) {
        List<Double> ours = nanos(operation, Peer.Berth);
        List<Double> theirs = nanos(operation, peer);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(ours.size(), theirs.size()); round++) {
            ratios.add(ours.get(round) / theirs.get(round));
        }
        return ratios;
    }

    private static Peer peerOf(String method) {
        for (Peer peer : Peer.values()) {
            if (method.endsWith(peer.name())) {
                return peer;
            }
        }
        throw new IllegalArgumentException("benchmark " + method + " does not end in the name of a peer");
    }
}
