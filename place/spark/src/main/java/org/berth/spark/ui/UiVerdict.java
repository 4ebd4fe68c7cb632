package org.berth.spark.ui;

import java.util.Locale;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus.Counters;

/** What the counters of all executors mean, in one or two sentences. A pure function. */
final class UiVerdict {
    private UiVerdict() {}

    static String of(ClusterStatus status) {
        Counters total = status.total();
        if (status.executors().isEmpty() && total.tasks() <= 0) {
            return "No executor has sent anything so far.";
        }
        if (total.tasks() <= 0) {
            boolean slots = status.executors().stream()
                    .anyMatch(executor -> !executor.status().slots().isEmpty());
            return slots ? "No task has started so far." : "No task is bound; the reasons are below.";
        }
        double tasks = total.tasks();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s of tasks kept the slot that their thread had before, and %s shared one.",
                percent(Math.max(0, tasks - total.rebinds()) / tasks),
                percent(total.shared() / tasks)));
        if (total.bindFailures() > 0) {
            text.append(' ')
                    .append(UiText.count(total.bindFailures(), "binding"))
                    .append(" failed.");
        }
        if (total.migrations() >= 0) {
            text.append(String.format(
                    Locale.ROOT,
                    " Threads migrated %s times, %.1f for 100 tasks.",
                    UiText.number(total.migrations()),
                    100 * total.migrations() / tasks));
        }
        return text.toString();
    }

    /** A number that is not all never looks like all. */
    private static String percent(double share) {
        double percent = 100 * share;
        if (percent > 99.9 && percent < 100) {
            return "more than 99.9 %";
        }
        return percent == Math.rint(percent)
                ? String.format(Locale.ROOT, "%.0f %%", percent)
                : String.format(Locale.ROOT, "%.1f %%", percent);
    }
}
