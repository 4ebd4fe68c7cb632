package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.experiments.Trial.Outcome;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.run.DifferentExperimentException;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.experiments.run.Progress;
import org.berth.machines.Machines;
import org.berth.observation.internal.threads.Expectation;
import org.berth.oracle.Await;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a file that stands for the setting; the command's own view of it is the witness. */
@Timeout(600)
class KernelSwitchTest {
    @TempDir
    private Path directory;

    private Path setting;
    private Path note;
    private Path choices;
    private KernelSwitch one;
    private KernelSwitch two;

    @BeforeEach
    void prepare() throws IOException {
        setting = Files.writeString(directory.resolve("setting"), "0\n");
        note = directory.resolve("note");
        one = new KernelSwitch(setting, "1", note);
        choices = Files.writeString(directory.resolve("choices"), "always [madvise] never\n");
        two = new KernelSwitch(choices, "never", directory.resolve("other-note"));
    }

    private ExperimentResult run(String script) throws IOException {
        return runner(script).run();
    }

    private ExperimentRunner runner(String script) {
        List<String> command = List.of("sh", "-c", script.replace("SETTING", setting.toString()));
        Arm switched =
                new Arm("switched", command, Map.of(), Expectation.none(), List.of(one, two), Arm.Binding.UNBOUND);
        Arm plain = new Arm("plain", command, Map.of(), Expectation.none());
        Experiment experiment = Experiment.of("switch", List.of(plain, switched))
                .withSeed(3034)
                .withRounds(1)
                .withWarmUps(0);
        return new ExperimentRunner(
                experiment, TopologyXml.parse(Machines.xml("2amd64-2n")), directory.resolve("results"), Progress.NONE);
    }

    @Test
    void onlyTheRunsOfTheArmSeeIt() throws IOException {
        List<Trial> trials = run("cat SETTING; exit 5").trials();
        assertThat(trials.get(0).log()).hasContent("0");
        assertThat(trials.get(1).log()).hasContent("1");
        assertThat(trials).allMatch(trial -> trial.outcome() == Outcome.FAILED);
        assertThat(setting).hasContent("0");
        assertThat(choices).hasContent("madvise");
        assertThat(note).doesNotExist();
        assertThat(directory.resolve("other-note")).doesNotExist();
    }

    @Test
    void aRunUnderAnotherValueThanItsArmsDoesNotCount() throws IOException {
        List<Trial> trials =
                run("cat SETTING; [ $(cat SETTING) = 0 ] || echo 3 >SETTING").trials();
        assertThat(trials.get(0).outcome()).isEqualTo(Outcome.COMPLETED);
        assertThat(trials.get(1).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(trials.get(1).notes())
                .contains(setting + " was 3 after the run instead of 1: another program changed it, so the run does not"
                        + " count");
        assertThat(setting).hasContent("0");
    }

    @Test
    void theOtherArmsHaveTheUsualValue() throws IOException {
        List<Trial> trials = run("[ $(cat SETTING) = 1 ] || echo 2 >SETTING").trials();
        assertThat(trials.get(0).outcome()).isEqualTo(Outcome.FAILED);
        assertThat(trials.get(0).notes())
                .anyMatch(one -> one.startsWith(setting + " was 2 after the run instead of 0"));
        assertThat(trials.get(1).outcome()).isEqualTo(Outcome.COMPLETED);
    }

    @Test
    void goesOnOnlyUnderTheUsualValueOfBefore() throws IOException {
        run("true");
        Files.writeString(setting, "2\n");
        assertThatThrownBy(() -> runner("true").resume())
                .isInstanceOf(DifferentExperimentException.class)
                .hasMessageContaining("settings of the kernel")
                .hasMessageContaining(setting + "=0");
    }

    @Test
    void theChoiceInBracketsIsThePresentOne() throws IOException {
        assertThat(two.present()).isEqualTo("madvise");
        assertThat(two.isOn()).isFalse();
        two.on();
        assertThat(choices).hasContent("never");
        two.off();
        assertThat(choices).hasContent("madvise");
    }

    @Test
    void anInterruptPutsItBack() throws IOException {
        // The command interrupts us: it waits until the file of the test's wish is there.
        Thread test = Thread.currentThread();
        Path ready = directory.resolve("ready");
        Thread stopper = new Thread(() -> {
            Await.until(ready + "", () -> Files.exists(ready));
            test.interrupt();
        });
        stopper.start();
        ExperimentResult result = run("[ $(cat SETTING) = 0 ] || { touch " + ready + "; sleep 600; }");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.trials()).extracting(Trial::outcome).containsExactly(Outcome.COMPLETED, Outcome.STOPPED);
        assertThat(setting).hasContent("0");
        assertThat(note).doesNotExist();
    }

    @Test
    void whatAKilledExperimentLeftIsPutBack() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Files.writeString(setting, "1\n");
        Files.writeString(note, "0 " + ended.pid() + " 12345\n");
        assertThat(one.restoreLeftOver())
                .hasValueSatisfying(line -> assertThat(line).startsWith(setting + " is 0 again"));
        assertThat(setting).hasContent("0");
        assertThat(one.restoreLeftOver()).isEmpty();
    }

    @Test
    void theSwitchOfAnExperimentThatRunsIsLeftAlone() throws IOException {
        one.on();
        assertThat(setting).hasContent("1");
        assertThatThrownBy(one::restoreLeftOver)
                .hasMessage(
                        "process " + ProcessHandle.current().pid() + " is comparing with another value of " + setting);
        assertThat(setting).hasContent("1");
        one.off();
        assertThat(setting).hasContent("0");
    }
}
