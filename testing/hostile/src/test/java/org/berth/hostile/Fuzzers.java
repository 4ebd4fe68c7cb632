package org.berth.hostile;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs classes of tests, named on the command line, which are on its class path. Exit code 1: one failed, or none was found. */
final class Fuzzers {
    private Fuzzers() {}

    public static void main(String[] names) {
        List<DiscoverySelector> classes = new ArrayList<>();
        for (String name : names) {
            classes.add(DiscoverySelectors.selectClass(name));
        }
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(classes).build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, summary);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        summary.getSummary().printFailuresTo(out, 5);
        long passed = summary.getSummary().getTestsSucceededCount();
        out.println(passed + " passed");
        out.flush();
        Runtime.getRuntime().halt(passed > 0 && summary.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
    }
}
