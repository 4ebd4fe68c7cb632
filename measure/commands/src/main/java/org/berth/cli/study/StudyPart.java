package org.berth.cli.study;

import org.berth.cli.compare.arms.CompareArms;
import org.berth.experiments.Arm;
import org.berth.experiments.Experiment;

/**
 * One comparison of a study: a workload under a setting, ready to run.
 *
 * @param setting what the parts of one panel have in common
 * @param folder the name of its folder
 * @param shown what its reports tell of its arms
 * @param experiment without a number of rounds
 * @param pilot the arm of the pilot run of its workload, by the name of the workload
 */
record StudyPart(String workload, String setting, String folder, CompareArms shown, Experiment experiment, Arm pilot) {
    /** Number of runs with these rounds and warm-ups. */
    public int runs(int rounds, int warmUps) {
        return experiment.arms().size() * (rounds + warmUps);
    }
}
