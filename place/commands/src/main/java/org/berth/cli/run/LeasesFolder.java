package org.berth.cli.run;

/** What the commands say about the folder with the leases. */
public final class LeasesFolder {
    /** The description of {@code --leases}. */
    public static final String DESCRIPTION =
            "Directory of the leases; default: the variable BERTH_LEASES, otherwise /run/berth/leases if root has made"
                    + " it, otherwise /dev/shm/berth-leases.";

    private LeasesFolder() {}
}
