package org.berth.binding.leases;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Machine;
import org.berth.oracle.PlantedStat;
import org.berth.oracle.Tool;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program in Java in a mount namespace with a /dev/shm and a /run of its own, as in a container. */
@Timeout(240)
class UnseenLeasesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void requireMounts() {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
    }

    private Child start(Path stat) {
        ChildJvm jvm = ChildJvm.of(Mover.class).under(PlantedStat.withoutOthersLeases(stat));
        return Child.start(ChildJvm.withEnvironment(new ProcessBuilder(jvm.command()), Map.of()));
    }

    @Test
    void aLeaseIsChosenByLoadAndMovesAwayFromIt() throws Exception {
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, List.of(0, 1))) {
            planted.use(Set.of(1));
            try (Child child = start(stat)) {
                String unseen = child.readLine();
                assertThat(unseen).as(child.errors()).startsWith("processes outside of this container do not see");
                assertThat(child.readLine()).endsWith(unseen);
                assertThat(child.readLine())
                        .contains("no domain can be exclusive")
                        .contains("BERTH_LEASES");
                assertThat(child.readLine()).isEqualTo("worker 0 on 0");
                planted.use(Set.of(0));
                assertThat(child.readLine()).isEqualTo("worker 1 on 1, in the ledger 1");
            }
        }
    }

    /** Holds one of two CPUs, and prints when it holds the other one. */
    static final class Mover {
        private Mover() {}

        public static void main(String[] arguments) throws InterruptedException {
            Leases leases = Leases.ofHost();
            System.out.println(leases.unseen().orElse("seen"));
            PlacementPlan plan = plan();
            try (Lease lease = leases.claim(plan, false, "mover")) {
                System.out.println(lease.warning().orElse("no warning"));
                System.out.println(refused(leases, plan));
                System.out.println("worker " + lease.worker() + " on " + lease.cpus());
                while (!lease.leaveCrowd()) {
                    Thread.sleep(500);
                }
                System.out.println("worker " + lease.worker() + " on " + lease.cpus() + ", in the ledger "
                        + leases.list().get(0).cpus());
            }
        }

        private static String refused(Leases leases, PlacementPlan plan) {
            try (Lease lease = leases.claim(plan, true, "exclusive")) {
                return "held " + lease.cpus();
            } catch (BindingException e) {
                return String.valueOf(e.getMessage());
            }
        }

        /** A CPU for each of two workers, on a machine that only the plan knows. */
        private static PlacementPlan plan() {
            return PlacementPolicies.byLevel()
                    .plan(Discovery.synthetic("pack:1 core:2 pu:1"), PlacementRequest.of(AffinityLevel.CORE, 2, 1));
        }
    }
}
