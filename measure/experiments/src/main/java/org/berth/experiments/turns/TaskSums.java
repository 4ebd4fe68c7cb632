package org.berth.experiments.turns;

/**
 * Sums over the tasks of one stage in one turn, from which means, and the slope of time on input, follow. Sums
 * of several executors are added.
 *
 * @param tasks how many
 * @param times of their logarithmic run times
 * @param clampedTimes the same, of times without the far outliers ({@link TimeClamp})
 * @param inputs of the logarithms of their input; 0 where it is not known
 * @param inputSquares of the squares of these
 * @param products of clamped time and input
 */
public record TaskSums(
        long tasks, double times, double clampedTimes, double inputs, double inputSquares, double products) {
    /** No task. */
    public static final TaskSums NONE = new TaskSums(0, 0, 0, 0, 0, 0);

    /** Adds a task, given by the logarithms of its run time, of the clamped one, and of its input. */
    public TaskSums plus(double time, double clampedTime, double input) {
        return new TaskSums(
                tasks + 1,
                times + time,
                clampedTimes + clampedTime,
                inputs + input,
                inputSquares + input * input,
                products + clampedTime * input);
    }

    /** Adds those of another executor. */
    public TaskSums plus(TaskSums other) {
        return new TaskSums(
                tasks + other.tasks,
                times + other.times,
                clampedTimes + other.clampedTimes,
                inputs + other.inputs,
                inputSquares + other.inputSquares,
                products + other.products);
    }

    /** The sum of the squares of what inputs differ from their mean. */
    double inputSpread() {
        return Math.max(0, inputSquares - inputs * inputs / tasks);
    }

    /** The sum of the products of what inputs and times differ from their means. */
    double together() {
        return products - inputs * clampedTimes / tasks;
    }

    /** The mean time as it would be with an input of 0. */
    double mean(boolean clamped, double slope) {
        return ((clamped ? clampedTimes : times) - slope * inputs) / tasks;
    }
}
