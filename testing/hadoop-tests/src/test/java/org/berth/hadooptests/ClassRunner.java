package org.berth.hadooptests;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Program of a forked JVM: runs test classes in turn, and prints one line for each after its failures. */
final class ClassRunner {
    private ClassRunner() {}

    public static void main(String[] names) {
        Launcher launcher = LauncherFactory.create();
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        for (String name : names) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            int before = LocalIsBerth.clients();
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(name))
                            .configurationParameter("junit.jupiter.execution.timeout.default", "300 s")
                            .configurationParameter(
                                    "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                            .build(),
                    listener);
            TestExecutionSummary summary = listener.getSummary();
            summary.printFailuresTo(out, 30);
            out.println(new ClassResult(
                            name,
                            summary.getTestsSucceededCount(),
                            summary.getTotalFailureCount(),
                            LocalIsBerth.clients() - before)
                    .line());
        }
        // Tests leave threads behind that are no daemons.
        System.exit(0);
    }
}
