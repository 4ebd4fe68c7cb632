package org.berth.hdfs;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicState;

/** The state of all decisions of this process: a core that one disk was given is taken for the others. Thread-safe. */
final class SharedState {
    private final AtomicReference<DynamicState> state = new AtomicReference<>(DynamicState.start());

    Decision decide(DynamicPlacement placement, LoadSnapshot load) {
        while (true) {
            DynamicState before = Objects.requireNonNull(state.get());
            Decision decision = placement.decide(load, before);
            if (state.compareAndSet(before, decision.next())) {
                return decision;
            }
        }
    }
}
