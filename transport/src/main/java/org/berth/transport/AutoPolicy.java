package org.berth.transport;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.berth.placement.DevicePolicy;

/**
 * Chooses the policy of progress threads by what wake-ups cost between CPUs and by the size of messages. A pure function.
 *
 * <p>A short message costs little but its wake-ups, so it is worth to stay where these are cheap. Of a large one most is the copy,
 * which wants caches and a core that no other thread of the engine takes. Where the machine shows no difference, the kernel
 * decides.
 */
final class AutoPolicy {
    /** A difference that is lost in the noise of a busy machine. */
    private static final double LEAST_GAIN = 1.15;
    /** What one core copies while it waits for nothing; the order of magnitude matters only. */
    private static final double COPIED_BYTES_IN_A_NANOSECOND = 5;

    private AutoPolicy() {}

    /**
     * The policy and why.
     *
     * @param policy empty to leave the threads to the kernel
     */
    record Choice(Optional<DevicePolicy> policy, String reason) {}

    /**
     * What is known of the machine and the messages.
     *
     * @param nearCores usable cores near the adapter
     * @param cores all usable ones
     * @param threads of the engine that make progress
     */
    record Facts(WakeupCosts costs, WaitMode waitMode, int nearCores, int cores, int threads) {}

    /** @param messageBytes the mean; 0 while there were none */
    static Choice choose(Facts facts, long messageBytes) {
        boolean nearHasRoom = facts.nearCores > facts.threads;
        if (facts.waitMode == WaitMode.SPIN) {
            return facts.cores > facts.threads
                    ? choice(
                            nearHasRoom ? DevicePolicy.O2OCS : DevicePolicy.O2OCC,
                            "threads that spin need cores of their own")
                    : none("there are no cores to spare for threads that spin");
        }
        OptionalLong near = facts.costs.of(WakeupCosts.Distance.NEAR);
        OptionalLong far = facts.costs.of(WakeupCosts.Distance.FAR);
        long wakeup = near.orElse(far.orElse(0));
        if (wakeup == 0 || facts.cores <= facts.threads) {
            return none("there are no cores to choose from");
        }
        long copies = Math.round(wakeup * COPIED_BYTES_IN_A_NANOSECOND);
        String size = String.format(Locale.ROOT, "messages of %d bytes", messageBytes);
        if (messageBytes > copies) {
            return choice(
                    nearHasRoom ? DevicePolicy.O2OCS : DevicePolicy.O2OCC,
                    size + " are copied longer than a wake-up takes");
        }
        if (far.isEmpty()) {
            return none("all cores are equally near");
        }
        if (near.isEmpty() || far.getAsLong() < LEAST_GAIN * near.getAsLong()) {
            return none("wake-ups cost about the same everywhere");
        }
        return nearHasRoom
                ? choice(DevicePolicy.O2ACS, "wake-ups near the adapter are cheaper")
                : choice(DevicePolicy.O2NTC, "wake-ups near the adapter are cheaper, and its cores are too few");
    }

    private static Choice choice(DevicePolicy policy, String reason) {
        return new Choice(Optional.of(policy), reason);
    }

    private static Choice none(String reason) {
        return new Choice(Optional.empty(), reason);
    }
}
