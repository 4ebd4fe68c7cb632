package org.berth.experiments.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;
import org.berth.experiments.ScheduledRun;
import org.berth.machines.Machines;
import org.berth.topology.xml.TopologyXml;

/** An experimenter in a process of its own: runs the command given after the directory, again and again. */
final class ExperimentProgram {
    private ExperimentProgram() {}

    public static void main(String[] arguments) throws IOException {
        String[] command = List.of(arguments).subList(1, arguments.length).toArray(String[]::new);
        Experiment experiment = Experiment.of("program", List.of(Arm.of("a", command)));
        Progress print = new Progress() {
            @Override
            public void started(ScheduledRun run, Arm arm, int runs) {
                System.out.println("started " + run.number());
            }
        };
        new ExperimentRunner(experiment, TopologyXml.parse(Machines.xml("2amd64-2n")), Path.of(arguments[0]), print)
                .run();
    }
}
