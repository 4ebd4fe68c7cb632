package org.berth.experiments.race;

import java.util.Arrays;
import java.util.Locale;
import org.berth.experiments.Simulation;
import org.berth.experiments.Simulation.Noise;
import org.berth.experiments.StoppingRule;
import org.berth.experiments.Verdict;

/** Makes the tables of races in {@code docs/background/statistics.md}. Arguments: seed, races. */
final class RaceTables {
    private RaceTables() {}

    public static void main(String[] args) {
        long seed = args.length > 0 ? Long.parseLong(args[0]) : 1;
        int races = args.length > 1 ? Integer.parseInt(args[1]) : 2000;
        for (int candidates : new int[] {1, 3, 7, 15}) {
            for (int scale : new int[] {1, 2, RacePlan.USUAL_SCALE, 8}) {
                RacePlan plan = RacePlan.of(candidates, scale);
                System.out.printf(
                        Locale.ROOT, "%d candidates, scale %d, at most %d runs%n", candidates, scale, plan.runs());
                for (Noise noise : scale == RacePlan.USUAL_SCALE ? Noise.values() : new Noise[] {Noise.NORMAL}) {
                    System.out.println("| " + noise + row(seed, races, plan, candidates, noise));
                }
            }
        }
    }

    private static String row(long seed, int races, RacePlan plan, int candidates, Noise noise) {
        StringBuilder row = new StringBuilder();
        StoppingRule rule = plan.confirmation();
        for (double truth : new double[] {1, 0.95, 0.9}) {
            Simulation simulation = new Simulation(seed, noise, 0.03);
            double[] truths = new double[candidates];
            Arrays.fill(truths, 1);
            truths[candidates - 1] = truth;
            int claimed = 0;
            int won = 0;
            int found = 0;
            int biased = 0;
            long runs = 0;
            for (int i = 0; i < races; i++) {
                SimulatedRace race = SimulatedRace.run(simulation, plan, rule, truths);
                boolean best = race.winner() == candidates - 1;
                claimed += race.helps() && (truth == 1 || !best) ? 1 : 0;
                won += best ? 1 : 0;
                found += best && race.helps() ? 1 : 0;
                biased += race.biased() == Verdict.Kind.FASTER ? 1 : 0;
                runs += race.runs();
            }
            row.append(String.format(
                    Locale.ROOT,
                    " | %.2f: wrong %.1f (race's runs %.1f) won %.1f found %.1f runs %d",
                    truth,
                    100.0 * claimed / races,
                    100.0 * biased / races,
                    100.0 * won / races,
                    100.0 * found / races,
                    runs / races));
        }
        return row + " |";
    }
}
