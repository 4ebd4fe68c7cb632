package org.berth.cli.compare.arms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.binding.discovery.Discovery;
import org.berth.cli.shared.CommandException;
import org.berth.experiments.KernelSwitch;
import org.berth.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BalanceArmsTest {
    private static final Topology TWO_NODES = Discovery.synthetic("pack:2 [numa] core:4 pu:1");
    private static final Topology ONE_NODE = Discovery.synthetic("pack:1 [numa] core:4 pu:1");
    private static final String BOUND = "--domain numa --no-lease --memory prefer";

    @TempDir
    Path folder;

    private Path setting;

    @BeforeEach
    void makeTheSetting() throws IOException {
        setting = Files.writeString(folder.resolve("numa_balancing"), "0\n");
    }

    private BalanceArms arms(Topology machine, String bound) throws IOException {
        return BalanceArms.of(machine, bound, new KernelSwitch(setting, "0", folder.resolve("note")));
    }

    private static List<String> lines(BalanceArms arms) {
        return arms.arms().stream()
                .map(arm -> arm.name() + ": " + String.join(" ", arm.words()) + " | "
                        + arm.kernel().stream().map(KernelSwitch::value).collect(Collectors.joining(",")))
                .toList();
    }

    @Test
    void boundAndUnboundWithBalancingOffAndOn() throws IOException {
        BalanceArms arms = arms(TWO_NODES, BOUND);
        assertThat(lines(arms))
                .containsExactly(
                        "none: --level none | 0",
                        "bind: --domain numa --no-lease --memory prefer | 0",
                        "balance: --level none | 1",
                        "bind+balance: --domain numa --no-lease --memory prefer-balance | 1");
        assertThat(arms.absent()).isEmpty();
        assertThat(arms.notes()).singleElement().asString().contains("the bound arms get 4 CPUs of 8 (0-3)");
    }

    @Test
    void aRaceLeavesOutWhatItsBaselineIs() throws IOException {
        BalanceOptions.Candidates off = BalanceOptions.candidates(arms(TWO_NODES, BOUND));
        assertThat(off.arms().stream().map(UserArm::name)).containsExactly("bind", "balance", "bind+balance");
        assertThat(off.absent()).singleElement().asString().startsWith("no-balance: same as none");

        Files.writeString(setting, "1\n");
        BalanceOptions.Candidates on = BalanceOptions.candidates(arms(TWO_NODES, BOUND));
        assertThat(on.arms().stream().map(UserArm::name)).containsExactly("no-balance", "bind", "bind+balance");
        assertThat(on.absent()).singleElement().asString().startsWith("balance: same as none");
    }

    /** The setting cannot be switched, but its present value still allows two arms. */
    @Test
    void withoutTheRightToSwitchHalfOfTheArmsRemain() throws IOException {

        setting = folder.resolve("absent");
        BalanceArms arms = arms(TWO_NODES, BOUND);
        assertThat(lines(arms))
                .containsExactly("none: --level none | ", "bind: --domain numa --no-lease --memory prefer | ");
        assertThat(arms.absent())
                .containsExactly(
                        "balance: this kernel has no " + setting, "bind+balance: this kernel has no " + setting);
    }

    @Test
    void onOneNodeOnlyTheCostOfSamplingRemains() throws IOException {
        BalanceArms arms = arms(ONE_NODE, BOUND);
        assertThat(lines(arms)).containsExactly("none: --level none | 0", "balance: --level none | 1");
        assertThat(arms.absent())
                .containsExactly(
                        "bind: this machine has one NUMA node for CPUs 0-3, the same as none",
                        "bind+balance: this machine has one NUMA node for CPUs 0-3, the same as balance");
        assertThat(arms.notes()).singleElement().asString().contains("not whether to bind");
        assertThat(lines(arms(ONE_NODE, "--level core --threads 2"))).hasSize(4);
    }

    @Test
    void balancingNeedsAModeThatLetsTheKernelMovePages() {
        assertThat(BalanceArms.balanced("--domain numa --no-lease --memory bind"))
                .isEqualTo("--domain numa --no-lease --memory bind-balance");
        assertThat(BalanceArms.balanced("--memory=bind:0-1 --level core"))
                .isEqualTo("--memory=bind-balance:0-1 --level core");
        assertThat(BalanceArms.balanced("--memory preferred-many")).isEqualTo("--memory prefer-balance");
        assertThat(BalanceArms.balanced("--memory prefer-balance")).isEqualTo("--memory prefer-balance");
        assertThat(BalanceArms.balanced("--domain numa --no-lease")).isEqualTo("--domain numa --no-lease");
        assertThat(BalanceArms.balanced("--memory interleave")).isEqualTo("--memory interleave");
    }

    @Test
    void oldKernelsCannotBalancePreferredMemory() {
        assertThat(BalanceArms.defaultBound("6.10.0-rc1")).isEqualTo(BOUND);
        assertThat(BalanceArms.defaultBound("7.2")).isEqualTo(BOUND);
        assertThat(BalanceArms.defaultBound("6.9.12")).isEqualTo("--domain numa --no-lease");
        assertThat(BalanceArms.defaultBound("5.14.0-503.el9.x86_64")).isEqualTo("--domain numa --no-lease");
        assertThat(BalanceArms.defaultBound("")).isEqualTo("--domain numa --no-lease");
    }

    @Test
    void theBoundArmHasOptionsOfRunAndNoConditionOfItsOwn() {
        assertThatThrownBy(() -> BalanceArms.bound("--level moon"))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("moon");
        Path real = Path.of("/proc/sys/kernel/numa_balancing");
        if (Files.isWritable(real)) {
            assertThatThrownBy(() -> BalanceArms.bound("--domain numa --no-lease --kernel numa-balancing=1"))
                    .isInstanceOf(CommandException.class)
                    .hasMessageContaining("leave --kernel out");
        }
    }
}
