package org.berth.fuzz;

import java.nio.charset.StandardCharsets;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;

/** The text of plans, which the agent and the Spark plugin read. */
public final class PlanTarget {
    private PlanTarget() {}

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        PlacementPlan plan;
        try {
            plan = PlacementPlan.parse(new String(input, StandardCharsets.UTF_8));
        } catch (PlacementException refused) {
            Messages.requireOneLine(refused);
            return;
        }
        if (!PlacementPlan.parse(plan.toText()).equals(plan)) {
            throw new AssertionError("reads back as another plan:\n" + plan.toText());
        }
    }
}
