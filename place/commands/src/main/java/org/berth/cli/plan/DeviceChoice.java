package org.berth.cli.plan;

import org.berth.observation.ForeignText;
import org.berth.placement.DevicePolicy;

/**
 * A policy near a device.
 *
 * @param device as the user wrote it
 * @param hardwareThreads PUs for each thread; 0 when not given
 */
public record DeviceChoice(DevicePolicy policy, String device, int hardwareThreads) {
    /** "o2ocs near eth0"; control characters of a name are replaced, since it may come from a file. */
    public String words() {
        return policy.word() + " near " + ForeignText.clean(device);
    }
}
