package org.berth.cli.compare.arms;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Arms that differ on a machine, and arms that are the same as one of them.
 *
 * @param distinct the first arm of each kind, in order
 * @param twins the other arms, in order
 */
public record Arms<T>(List<T> distinct, List<Twin<T>> twins) {
    public Arms {
        distinct = List.copyOf(distinct);
        twins = List.copyOf(twins);
    }

    /**
     * An arm that need not run.
     *
     * @param first the arm that runs, and is the same on this machine
     */
    public record Twin<T>(T arm, T first) {}

    /**
     * The first arm of each kind, and the others as twins.
     *
     * @param key equal for arms that are the same on this machine, such as the CPUs that the command gets
     */
    public static <T> Arms<T> distinctBy(Function<T, ?> key, List<T> arms) {
        List<T> distinct = new ArrayList<>();
        List<Twin<T>> twins = new ArrayList<>();
        for (T arm : arms) {
            Optional<T> first = distinct.stream()
                    .filter(earlier -> key.apply(earlier).equals(key.apply(arm)))
                    .findFirst();
            first.ifPresentOrElse(same -> twins.add(new Twin<>(arm, same)), () -> distinct.add(arm));
        }
        return new Arms<>(distinct, twins);
    }
}
