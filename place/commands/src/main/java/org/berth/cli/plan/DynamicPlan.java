package org.berth.cli.plan;

import java.util.ArrayList;
import java.util.List;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicState;

/**
 * Decisions of a dynamic policy for threads that start one after the other at one moment.
 *
 * @param disk the disk's name and interrupts
 * @param network the network adapter's name and interrupts; the name is empty when no adapter is named
 * @param measured whether the load was measured on this machine
 * @param decisions the first thread's first
 */
record DynamicPlan(
        DynamicOptions.Reference disk,
        DynamicOptions.Reference network,
        DynamicPlacement placement,
        LoadSnapshot load,
        boolean measured,
        List<Decision> decisions) {
    static DynamicPlan of(
            DynamicOptions.Reference disk,
            DynamicOptions.Reference network,
            DynamicPlacement placement,
            LoadSnapshot load,
            boolean measured,
            int threads) {
        List<Decision> decisions = new ArrayList<>();
        DynamicState state = DynamicState.start();
        for (int i = 0; i < threads; i++) {
            Decision decision = placement.decide(load, state);
            decisions.add(decision);
            state = decision.next();
        }
        return new DynamicPlan(disk, network, placement, load, measured, decisions);
    }
}
