package org.berth.spark.settings;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/** CPUs that Spark counts for tasks, in billionths of one: since 4.3 an amount is a decimal of nine places. */
public final class CpuAmount {
    /** A whole CPU. */
    public static final long ONE = 1_000_000_000L;

    private static final int PLACES = 9;

    /** {@code TaskContext.cpuAmount}; null before Spark 4.3, whose amounts are whole. */
    private static final @Nullable MethodHandle EXACT = exact();

    private CpuAmount() {}

    /** Returns the amount of whole CPUs. */
    public static long of(int cpus) {
        return cpus * ONE;
    }

    /**
     * Reads a setting such as {@code 2} or {@code 0.5}.
     *
     * @throws IllegalStateException one line, when it is not a positive number
     */
    static long parse(String key, String text) {
        try {
            long amount = of(new BigDecimal(text.strip()));
            if (amount > 0) {
                return amount;
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw invalid(key, text, e);
        }
        throw invalid(key, text, null);
    }

    private static IllegalStateException invalid(String key, String text, @Nullable Throwable cause) {
        return new IllegalStateException(
                key + "=" + text + " is not a number of CPUs; give one such as 2 or 0.5", cause);
    }

    /** Returns the amount of a running task. */
    public static long of(TaskContext task) {
        if (EXACT == null) {
            return of(Math.max(1, task.cpus()));
        }
        try {
            return Math.max(1, of(((scala.math.BigDecimal) EXACT.invokeExact(task)).bigDecimal()));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static long of(BigDecimal cpus) {
        return cpus.movePointRight(PLACES).setScale(0, RoundingMode.HALF_UP).longValueExact();
    }

    private static @Nullable MethodHandle exact() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(TaskContext.class, "cpuAmount", MethodType.methodType(scala.math.BigDecimal.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }
}
