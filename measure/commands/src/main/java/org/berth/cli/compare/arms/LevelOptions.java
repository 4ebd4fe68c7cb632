package org.berth.cli.compare.arms;

import java.util.List;
import java.util.Optional;
import org.berth.placement.OrderedLevel;
import picocli.CommandLine.Option;

/** The option {@code --levels}. */
public final class LevelOptions {
    @Option(
            names = "--levels",
            paramLabel = "LIST",
            description =
                    "Levels to compare; the first one is the baseline. Default: none,package,core,pu, and numa on machines"
                            + " with several nodes.")
    private Optional<String> levels = Optional.empty();

    /** Whether it is given. */
    public boolean given() {
        return levels.isPresent();
    }

    /** Whether this word is among them. */
    public boolean names(String word) {
        return levels.filter(list -> List.of(list.split(",", -1)).contains(word))
                .isPresent();
    }

    /** The levels that the user names; a usage error when one is wrong. */
    public Optional<List<OrderedLevel>> list() {
        return levels.map(LevelChoice::parse);
    }

    /**
     * The levels of a comparison.
     *
     * @param firstOnly whether the first one is enough
     * @param kernel more arms of a single level
     */
    public LevelChoice choice(boolean firstOnly, KernelOptions kernel) {
        Optional<List<OrderedLevel>> given = list();
        boolean one = given.filter(list -> list.size() == 1).isPresent();
        return new LevelChoice(given, firstOnly || (one && kernel.given()));
    }
}
