package org.berth.cli.tune;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.cli.shared.CommandException;
import org.berth.cli.split.SplitPlan;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.ShapeRequest;

/**
 * Candidates that {@code berth split} starts.
 *
 * @param command with placeholders
 * @param javaLauncher whether it is a JDK's or JRE's own {@code java}
 * @param heap the value of {@code --heap}
 * @param rules file with a rule for every thread, for the levels core and pu
 */
record SplitCandidates(List<String> command, boolean javaLauncher, Optional<String> heap, Path rules)
        implements ShapeCandidates {
    /** Each process in its part. */
    static final String PART = "part";

    /** The file's content. */
    static final String EACH_THREAD = "* -> slot\n";

    private static final String CORE = "core";
    private static final String PU = "pu";

    /** A usage error for other levels than these. */
    static void check(String level) {
        if (!List.of(TuneShape.NONE, PART, CORE, PU).contains(level)) {
            throw CommandException.usage("--levels " + level
                    + ": with --into, choose none (not bound), part (each process in its part), core or pu (and each of"
                    + " its threads on one core or PU)");
        }
    }

    @Override
    public String usualLevel() {
        return PART;
    }

    /** A thread on the only core of its part is in its part; a process that is bound to the whole machine is not bound. */
    @Override
    public String effectiveLevel(TuneShape shape, boolean everywhere) {
        boolean onePu =
                shape.host().parts().stream().allMatch(part -> part.cpus().size() == 1);
        boolean oneCore = shape.host().parts().stream().allMatch(part -> part.cores() == 1);
        boolean coresArePus = shape.host().parts().stream()
                .allMatch(part -> part.cores() == part.cpus().size());
        String level = shape.level();
        if ((level.equals(CORE) && oneCore) || (level.equals(PU) && onePu)) {
            level = PART;
        }
        if (level.equals(PU) && coresArePus) {
            level = CORE;
        }
        return level.equals(PART) && everywhere ? TuneShape.NONE : level;
    }

    @Override
    public Optional<String> uneven(TuneShape shape) {
        return Optional.empty();
    }

    @Override
    public long heapBytes(TuneShape shape) {
        return shape.heapBytes();
    }

    @Override
    public Optional<String> obstacle(TuneShape shape) {
        boolean threads = shape.level().equals(CORE) || shape.level().equals(PU);
        return threads && !javaLauncher
                ? Optional.of("only the agent gives threads slots, and it needs the command java")
                : Optional.empty();
    }

    @Override
    public TuneCandidate make(String name, TuneShape shape, ShapeRequest request, List<String> flags) {
        List<String> words = new ArrayList<>(List.of(
                shape.into().kind() == Division.Kind.COUNT ? "--into" : "--domain",
                shape.into().word()));
        heap.ifPresent(text -> words.addAll(List.of("--heap", text)));
        request.within().ifPresent(cpus -> words.addAll(List.of("--cpus", cpus.toString())));
        AgentOptions threads = AgentOptions.none();
        if (!shape.bound()) {
            words.add("--unbound");
        } else {
            words.addAll(List.of("--memory", shape.memory().word()));
        }
        if (shape.level().equals(CORE) || shape.level().equals(PU)) {
            threads = threads.withRules(rules);
            words.addAll(List.of("--rules", rules.toString()));
            if (shape.level().equals(CORE)) {
                threads = threads.withCoreSlots();
                words.addAll(List.of("--level", CORE));
            }
        }
        SplitPlan plan = new SplitPlan(
                shape.host(),
                shape.bound(),
                shape.memory(),
                shape.memory() == MemoryMode.LOCAL,
                false,
                Optional.empty(),
                name,
                Collections.nCopies(shape.host().parts().size(), threads));
        // A placeholder without a value is found here.
        for (int i = 0; i < plan.size(); i++) {
            plan.command(i, command);
        }
        return new SplitCandidate(name, shape, plan, words, command, javaLauncher, flags);
    }
}
