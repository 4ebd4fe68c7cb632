package org.berth.experiments.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.KernelSwitch;
import org.berth.experiments.Trial;

/**
 * The settings of the kernel that some arm of an experiment switches: set before a run of that arm, put back after it,
 * and read after every run, so that a run under another value than its arm's does not count.
 */
final class KernelConditions {
    private final Map<Path, String> usual = new LinkedHashMap<>();
    private final List<KernelSwitch> all = new ArrayList<>();

    /** @throws IOException when a setting cannot be read */
    KernelConditions(Experiment experiment) throws IOException {
        for (Arm arm : experiment.arms()) {
            for (KernelSwitch one : arm.kernel()) {
                if (usual.putIfAbsent(one.setting(), one.present()) == null) {
                    all.add(one);
                }
            }
        }
    }

    /** The values that the settings had before, for a reader: "FILE=VALUE, …". */
    static String usual(Experiment experiment) throws IOException {
        List<String> words = new ArrayList<>();
        new KernelConditions(experiment).usual.forEach((setting, value) -> words.add(setting + "=" + value));
        return String.join(", ", words);
    }

    /** Work to run under the arm's settings. */
    interface Run {
        Trial run();
    }

    /** @throws IOException when a setting cannot be switched, or not put back */
    Trial run(Arm arm, Run run) throws IOException {
        Deque<KernelSwitch> switched = new ArrayDeque<>();
        try {
            for (KernelSwitch one : arm.kernel()) {
                one.on();
                switched.push(one);
            }
            return checked(arm, run.run());
        } finally {
            off(switched);
        }
    }

    /** All are tried, whatever fails. */
    private static void off(Deque<KernelSwitch> switched) throws IOException {
        IOException failure = null;
        for (KernelSwitch one : switched) {
            try {
                one.off();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private Trial checked(Arm arm, Trial trial) throws IOException {
        List<String> notes = new ArrayList<>(trial.notes());
        for (KernelSwitch any : all) {
            String wanted = arm.kernel().stream()
                    .filter(one -> one.setting().equals(any.setting()))
                    .findFirst()
                    .map(KernelSwitch::value)
                    .orElse(usual.getOrDefault(any.setting(), ""));
            String found = any.present();
            if (!found.equals(wanted)) {
                notes.add(any.setting() + " was " + found + " after the run instead of " + wanted
                        + ": another program changed it, so the run does not count");
            }
        }
        return notes.size() == trial.notes().size() ? trial : trial.spoiled(notes);
    }
}
