package org.berth.cli.plan;

import org.berth.placement.DevicePolicy;

/**
 * What the user asked for near a device.
 *
 * @param device as the user wrote it
 * @param hardwareThreads for each thread, 0 when it was not said
 */
public record DeviceChoice(DevicePolicy policy, String device, int hardwareThreads) {
    /** "o2ocs near eth0"; a name that comes from a file may hold what a terminal must not get. */
    public String words() {
        StringBuilder words = new StringBuilder(policy.word()).append(" near ");
        device.codePoints().map(c -> Character.isISOControl(c) ? '?' : c).forEach(words::appendCodePoint);
        return words.toString();
    }
}
