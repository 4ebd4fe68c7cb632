package org.berth.cli.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.berth.experiments.statistics.Spread;
import org.berth.placement.internal.dynamic.AffinityClass;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.ServiceCore;
import org.berth.probes.ProbePlace;
import org.berth.probes.ProbeSample;

/**
 * A class of cores in a probe.
 *
 * @param core its first core, which is probed; empty when this machine has none of that class
 * @param reason why it has none, without a full stop; empty when it has a core
 */
public record ProbeClass(AffinityClass kind, Optional<ServiceCore> core, String reason) {
    private static final List<AffinityClass> OF_DISK =
            List.of(AffinityClass.DS, AffinityClass.DC, AffinityClass.DM, AffinityClass.DN);
    private static final List<AffinityClass> OF_NETWORK =
            List.of(AffinityClass.NS, AffinityClass.NC, AffinityClass.NM, AffinityClass.NN);

    /** The four classes of the disk, or of the network, in the order of distance. */
    public static List<ProbeClass> of(DynamicPlacement placement, boolean disk) {
        List<AffinityClass> kinds = disk ? OF_DISK : OF_NETWORK;
        boolean unknown = kinds.stream().allMatch(kind -> placement.cores(kind).isEmpty());
        List<ProbeClass> classes = new ArrayList<>();
        for (AffinityClass kind : kinds) {
            Optional<ServiceCore> core = placement.cores(kind).stream().findFirst();
            classes.add(new ProbeClass(
                    kind,
                    core,
                    core.isPresent() ? "" : unknown ? why(placement, disk ? "disk" : "network") : why(kind)));
        }
        return classes;
    }

    private static String why(DynamicPlacement placement, String device) {
        return placement.notes().stream()
                .filter(note -> note.contains(device))
                .findFirst()
                .orElse("the " + device + "'s interrupt-handling core is not known");
    }

    private static String why(AffinityClass kind) {
        return switch (kind.relation()) {
            case SAME -> "no allowed core handles its interrupts";
            case CACHE -> "no other core shares a cache with the core that handles its interrupts";
            case MEMORY -> "all cores of that memory node share a cache with it";
            case REMOTE -> "no allowed core is on another memory node";
        };
    }

    Optional<ProbePlace> place() {
        return core.map(one -> new ProbePlace(kind.name(), one.cpus()));
    }

    /** Spread of the rates, in MB/s. */
    Optional<Spread> rates(List<ProbeSample> samples) {
        return Spread.of(own(samples).stream().mapToDouble(ProbeSample::megabytesPerSecond));
    }

    /** Spread of the CPU time of the thread, in ms for each message. */
    Optional<Spread> cpuMillis(List<ProbeSample> samples) {
        DoubleStream millis = own(samples).stream().mapToDouble(one -> 1e3 * one.cpuSeconds());
        return Spread.of(millis);
    }

    private List<ProbeSample> own(List<ProbeSample> samples) {
        return samples.stream().filter(one -> one.place().equals(kind.name())).toList();
    }
}
