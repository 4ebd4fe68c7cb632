package org.berth.cli.compare.arms;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.arguments.WordList;
import org.berth.experiments.KernelSwitch;
import org.berth.text.Words;

/**
 * Settings of the kernel for the runs of an arm.
 *
 * @param name as it was written: "cache-aware=on+llc-tolerance=100"
 * @param switches the settings
 */
public record KernelCondition(String name, List<KernelSwitch> switches) {
    public KernelCondition {
        switches = List.copyOf(switches);
    }

    /** Parses conditions that commas separate. */
    public static List<KernelCondition> parseList(String list) {
        return WordList.parse("--kernel", list, KernelCondition::parse);
    }

    /** Parses one; an unknown setting, or one that is given twice, is a usage error. */
    static KernelCondition parse(String text) {
        List<KernelSwitch> switches =
                Stream.of(text.split("\\+", -1)).map(KernelKnob::parse).toList();
        long different = switches.stream().map(KernelSwitch::setting).distinct().count();
        if (different < switches.size()) {
            throw CommandException.usage("--kernel '" + text + "': a setting is given twice");
        }
        return new KernelCondition(text, switches);
    }

    /** Fails with one line when the kernel lacks a setting, or this user may not write it. */
    public void requireWritable() {
        for (KernelSwitch one : switches) {
            Optional<String> obstacle = one.obstacle();
            if (obstacle.isPresent()) {
                throw CommandException.failure("--kernel " + name + ": " + obstacle.get());
            }
        }
    }

    /** Why it changes nothing; empty when it does. */
    Optional<String> sameAsPresent(String first) throws IOException {
        List<String> present = new ArrayList<>();
        for (KernelSwitch one : switches) {
            if (!one.isOn()) {
                return Optional.empty();
            }
            present.add(one.setting() + " is " + one.value());
        }
        return Optional.of(name + ": " + Words.and(present) + " already, the same as " + first);
    }

    /**
     * Puts back what a comparison that was killed has left in the kernel.
     *
     * @param needed whether this one switches settings itself: then another that still does so is a failure
     * @return lines for the user
     */
    public static List<String> restoreLeftOver(boolean needed) {
        try {
            return KernelKnob.restoreLeftOver().stream()
                    .map(line -> "berth: " + line)
                    .toList();
        } catch (IOException e) {
            if (needed) {
                throw CommandException.failure("cannot switch settings of the kernel: " + IoErrors.reason(e), e);
            }
            return List.of("berth: note: these runs are disturbed: " + IoErrors.reason(e));
        }
    }
}
