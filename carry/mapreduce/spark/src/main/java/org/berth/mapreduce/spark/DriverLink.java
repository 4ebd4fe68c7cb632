package org.berth.mapreduce.spark;

import java.io.IOException;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.mapreduce.client.ExitGuard;
import org.jspecify.annotations.Nullable;

/** The way from a task to its driver: a call when both are in this JVM, a message of Spark otherwise. Thread-safe. */
final class DriverLink {
    private static volatile @Nullable PluginContext context;

    private DriverLink() {}

    static void open(PluginContext newContext) {
        context = newContext;
    }

    /** Returns the driver's answer. */
    static String ask(TaskMessage message) throws IOException {
        if (DriverJobs.has(message.job())) {
            return DriverJobs.answer(message);
        }
        PluginContext open = context;
        if (open == null) {
            throw new IOException(
                    "this executor has no " + MapReducePlugin.class.getName() + ": add it to spark.plugins");
        }
        // A thread that Spark starts for the message is not the task's.
        ExitGuard.Scope unguarded = ExitGuard.enter(null);
        try (unguarded) {
            return String.valueOf(open.ask(message.bytes()));
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the driver does not answer: " + e, e);
        }
    }
}
