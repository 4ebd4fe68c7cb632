package org.berth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What {@code berth} alone prints: the commands to begin with, each with an example. */
final class FirstSteps {
    /** An example of a command, and what it does. */
    record Step(String command, String example, String what) {}

    static final List<Step> STEPS = List.of(
            new Step("topo", "berth topo", "shows the machine"),
            new Step("doctor", "berth doctor", "names what limits placement"),
            new Step("run", "berth run --domain numa -- java -jar app.jar", "starts it on a free NUMA node"),
            new Step("watch", "berth watch -- java -jar app.jar", "shows where its threads run"),
            new Step("compare", "berth compare -- java -jar app.jar", "tells whether binding pays"));

    private FirstSteps() {}

    /** @param known the commands that are there */
    static List<String> lines(Set<String> known) {
        List<String> lines = new ArrayList<>();
        lines.add("Berth places the processes, threads and memory pages of JVM data engines. Begin with:");
        lines.add("");
        STEPS.stream()
                .filter(step -> known.contains(step.command()))
                .forEach(step -> lines.add(String.format(Locale.ROOT, "  %-44s  %s", step.example(), step.what())));
        lines.add("");
        lines.add("'berth --help' lists all commands, and 'berth COMMAND --help' explains one.");
        return lines;
    }
}
