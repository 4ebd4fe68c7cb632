package org.berth.hdfs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.devices.DeviceTrace;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.devices.NetworkInterfaces;
import org.berth.placement.internal.dynamic.InterruptReference;

/**
 * The network adapter that blocks come and go through.
 *
 * @param trace which it is
 * @param reference the CPUs that handle its interrupts
 */
record Network(DeviceTrace trace, InterruptReference reference) {
    private static final Path ROOT = Path.of("/");

    static Network of(HdfsSettings settings, InterruptMap interrupts) {
        DeviceTrace trace = trace(settings.network());
        InterruptReference reference = settings.networkCpus().isEmpty()
                ? InterruptReference.of(interrupts.devices(trace))
                : InterruptReference.ofCpus(settings.networkCpus());
        return new Network(trace, reference);
    }

    private static DeviceTrace trace(String where) {
        Reading<Boolean> isInterface = new NetworkInterfaces(SystemFiles.LIVE).exists(where);
        if (isInterface.orElse(false)) {
            return DeviceTrace.ofInterface(where, ROOT);
        }
        try {
            return DeviceTrace.ofPeer(InetAddress.getByName(where), ROOT);
        } catch (UnknownHostException e) {
            return new DeviceTrace(
                    where,
                    List.of(),
                    isInterface
                            .refusal()
                            .map(refusal -> where + " is not a known host; whether it is an interface is not"
                                    + " known: " + refusal)
                            .orElse(where + " is neither an interface nor a known host"));
        }
    }

    /** A description for the log. */
    String describe() {
        String devices = trace.devices().stream().map(DeviceTrace.Device::name).collect(Collectors.joining("+"));
        String what = devices.isEmpty() ? "no network adapter" : "network adapter " + devices;
        String where = reference.handlingCpus().isEmpty() ? "" : ", interrupts at CPUs " + reference.handlingCpus();
        return what + where + (trace.reason().isEmpty() ? "" : " (" + trace.subject() + ": " + trace.reason() + ")");
    }
}
