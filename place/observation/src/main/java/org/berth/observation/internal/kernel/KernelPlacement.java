package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import org.berth.observation.Reading;

/**
 * What the kernel itself does about where threads run and where pages lie. Immutable.
 *
 * @param numaBalancing pages and threads between nodes
 * @param cacheAware threads between last-level caches
 * @param schedExt a scheduler that was loaded
 * @since 0.1.0
 */
public record KernelPlacement(
        NumaBalancing numaBalancing, Reading<CacheAwareScheduling> cacheAware, SchedExt schedExt) {
    /** Reads that of this machine ({@code /}), or of a recorded one. */
    public static KernelPlacement read(Path root) {
        return new KernelPlacement(NumaBalancing.read(root), CacheAwareScheduling.read(root), SchedExt.read(root));
    }
}
