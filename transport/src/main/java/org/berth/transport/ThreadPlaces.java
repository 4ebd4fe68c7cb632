package org.berth.transport;

import java.lang.System.Logger;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.binding.BindingException;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementPolicies;
import org.berth.placement.PlacementRequest;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;

/**
 * The places of progress threads, by the policy of the settings. A thread asks before each batch of messages; one that is bound
 * pays a nanosecond for it and no call of the kernel ({@link SlotBinder}).
 */
final class ThreadPlaces {
    private static final Logger LOG = System.getLogger(ThreadPlaces.class.getName());

    private ThreadPlaces() {}

    /** Binds the thread that runs it; one that cannot be bound goes on unbound, and a line tells why. */
    static Runnable of(TransportSettings settings, Counters counters) {
        Optional<DevicePolicy> policy = settings.policy();
        if (policy.isEmpty() && !settings.choosesPolicy()) {
            return ThreadPlaces::anywhere;
        }
        try {
            LocalMachine machine = LocalMachine.open();
            DeviceChoice choice = DeviceChoice.of(
                    NetworkDevices.read(Path.of("/")),
                    settings.value(Parameter.DEVICE),
                    machine.topology().allowedNodeSet());
            if (choice.device().isEmpty()) {
                LOG.log(
                        Logger.Level.WARNING,
                        "berth: progress threads of " + settings.name() + " run unbound, as policy "
                                + settings.value(Parameter.POLICY) + " needs a network adapter: " + choice.reason()
                                + "; name one (device)");
                return ThreadPlaces::anywhere;
            }
            NetworkDevice device = choice.device().get();
            return policy.isPresent()
                    ? fixed(machine, policy.get(), device, settings)
                    : chosen(machine, device, settings, counters);
        } catch (BindingException | PlacementException | TopologyException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    "berth: progress threads of " + settings.name() + " run unbound: " + e.getMessage());
            return ThreadPlaces::anywhere;
        }
    }

    private static Runnable fixed(
            LocalMachine machine, DevicePolicy policy, NetworkDevice device, TransportSettings settings) {
        PlacementPlan plan = plan(machine.topology(), policy, device.name(), settings);
        SlotBinder slots = SlotBinder.of(machine.binder(), plan);
        LOG.log(
                Logger.Level.INFO,
                "berth: progress threads of " + settings.name() + ": " + String.join("; ", plan.notes()));
        AtomicBoolean failed = new AtomicBoolean();
        return () -> {
            if (!failed.get()) {
                bind(slots::bind, settings, failed);
            }
        };
    }

    private static Runnable chosen(
            LocalMachine machine, NetworkDevice device, TransportSettings settings, Counters counters) {
        Topology topology = machine.topology();
        CpuSet allowed = topology.allowedCpuSet();
        // Of a device of unknown place all CPUs are equally near.
        CpuSet near = device.node() < 0
                ? allowed
                : topology.cpusNear(NodeSet.of(device.node())).intersection(allowed);
        AutoPolicy.Facts facts = new AutoPolicy.Facts(
                WakeupCosts.measure(topology, machine.binder(), near.isEmpty() ? allowed : near),
                settings.waitMode(),
                cores(topology, near),
                cores(topology, allowed),
                settings.threads());
        AutoPlaces places = new AutoPlaces(
                settings.name(),
                facts,
                counters,
                policy -> SlotBinder.of(machine.binder(), plan(topology, policy, device.name(), settings)));
        AtomicBoolean failed = new AtomicBoolean();
        return () -> {
            if (!failed.get()) {
                bind(places::bind, settings, failed);
            }
        };
    }

    private static int cores(Topology topology, CpuSet cpus) {
        return topology.objectsIntersecting(cpus, ObjectType.CORE).size();
    }

    private static void anywhere() {
        // The thread runs where the kernel puts it.
    }

    private static PlacementPlan plan(
            Topology topology, DevicePolicy policy, String device, TransportSettings settings) {
        int hardwareThreads = Quantities.count(Parameter.HARDWARE_THREADS, settings.value(Parameter.HARDWARE_THREADS));
        return PlacementPolicies.nearDevice(policy, hardwareThreads)
                .plan(
                        topology,
                        PlacementRequest.of(AffinityLevel.CORE, 1, settings.threads())
                                .withNearDevice(device));
    }

    private static void bind(Runnable slots, TransportSettings settings, AtomicBoolean failed) {
        try {
            slots.run();
        } catch (BindingException e) {
            failed.set(true);
            LOG.log(
                    Logger.Level.WARNING,
                    "berth: thread " + Thread.currentThread().getName() + " of " + settings.name() + " runs unbound: "
                            + e.getMessage());
        }
    }
}
