package org.berth.transport.internal.threads;

import java.lang.System.Logger;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.binding.errors.BindingException;
import org.berth.placement.AffinityLevel;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.NetworkDevice;
import org.berth.transport.host.NetworkDevices;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.Quantities;
import org.berth.transport.settings.TransportSettings;

/**
 * The places of progress threads, by the policy of the settings. A thread asks before each batch of messages; one that is bound
 * pays a nanosecond for it and no call of the kernel ({@link SlotBinder}).
 */
public final class ThreadPlaces {
    private static final Logger LOG = System.getLogger(ThreadPlaces.class.getName());

    private ThreadPlaces() {}

    /** Binds the calling thread. If binding fails, the thread continues unbound and the reason is logged. */
    public static Runnable of(TransportSettings settings) {
        Optional<DevicePolicy> policy = settings.policy();
        if (policy.isEmpty()) {
            return ThreadPlaces::anywhere;
        }
        try {
            LocalMachine machine = LocalMachine.open();
            AdapterChoice choice = AdapterChoice.of(
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
            return near(machine, policy.get(), choice.device().get(), settings);
        } catch (BindingException | PlacementException | TopologyException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    "berth: progress threads of " + settings.name() + " run unbound: " + e.getMessage());
            return ThreadPlaces::anywhere;
        }
    }

    private static Runnable near(
            LocalMachine machine, DevicePolicy policy, NetworkDevice device, TransportSettings settings) {
        PlacementPlan plan = plan(machine.topology(), policy, device.name(), settings);
        SlotBinder slots = SlotBinder.of(machine.binder(), plan);
        LOG.log(
                Logger.Level.INFO,
                "berth: progress threads of " + settings.name() + ": " + String.join("; ", plan.notes()));
        AtomicBoolean failed = new AtomicBoolean();
        return () -> {
            if (!failed.get()) {
                bind(slots, settings, failed);
            }
        };
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

    private static void bind(SlotBinder slots, TransportSettings settings, AtomicBoolean failed) {
        try {
            slots.bind();
        } catch (BindingException e) {
            failed.set(true);
            LOG.log(
                    Logger.Level.WARNING,
                    "berth: thread " + Thread.currentThread().getName() + " of " + settings.name() + " runs unbound: "
                            + e.getMessage());
        }
    }
}
