package sample;

import org.berth.topology.internal.bits.Bitmap;

/** What no compiler takes: Berth does not export this package. */
final class ReachesInside {
    private Bitmap bits;
}
