package org.berth.cli.probe;

import java.util.List;
import org.berth.probes.ProbeSample;
import org.berth.report.comparison.Quantity;
import org.berth.topology.CpuSet;

/**
 * The result of probing one device.
 *
 * @param device "disk" or "network"
 * @param what the transfers, one line without a full stop
 * @param reference the device to which the classes refer, such as "disk vda of /tmp"
 * @param handling CPUs that handle its interrupts, or that stand for them
 * @param sizeBytes of each message
 * @param notes one line each
 */
public record ProbeResult(
        String device,
        String what,
        String reference,
        CpuSet handling,
        int sizeBytes,
        List<ProbeClass> classes,
        List<ProbeSample> samples,
        List<String> notes) {
    public static final Quantity RATE = new Quantity("throughput", "MB/s", true);

    public ProbeResult {
        classes = List.copyOf(classes);
        samples = List.copyOf(samples);
        notes = List.copyOf(notes);
    }
}
