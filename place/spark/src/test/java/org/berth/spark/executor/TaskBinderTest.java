package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.placement.internal.guard.SlotWidths;
import org.berth.spark.settings.CpuAmount;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real threads, whose masks are read from /proc. */
@Timeout(120)
class TaskBinderTest {
    @TempDir
    Path folder;

    private final ExecutorService one = Executors.newSingleThreadExecutor();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private String allowed = "";
    private String first = "";
    private String second = "";
    private TaskBinder binder;

    @BeforeEach
    void needTwoCpus() throws IOException {
        allowed = mask();
        CpuSet cpus = CpuSet.parseList(allowed);
        Machine.requireCpus(2);
        first = Integer.toString(cpus.first());
        second = Integer.toString(cpus.minus(CpuSet.of(cpus.first())).first());
        LocalMachine machine = LocalMachine.open();
        SlotTable table =
                PlanFile.open(plan(), machine.topology().allowedCpuSet()).table();
        CpuSet domain = machine.topology().allowedCpuSet();
        binder = new TaskBinder(
                machine.binder(), table, domain, SlotWidths.of(machine.topology(), domain, table.cpus()));
    }

    @AfterEach
    void end() {
        one.shutdownNow();
        other.shutdownNow();
    }

    @Test
    void threadStaysUntilAllAreGivenBack() throws Exception {
        assertThat(on(one, this::enter)).isEqualTo(first);
        assertThat(on(other, this::enter)).isEqualTo(second);
        assertThat(on(one, this::leave)).isEqualTo(first);
        assertThat(on(other, this::leave)).isEqualTo(second);
        binder.restoreAll();
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(allowed);
        assertThat(on(other, TaskBinderTest::mask)).isEqualTo(allowed);
        assertThat(mask()).isEqualTo(allowed);
    }

    @Test
    void threadPrefersItsOwnSlotAndGoesWhenItIsTaken() throws Exception {
        on(one, this::enter);
        on(other, this::enter);
        on(one, this::leave);
        on(other, this::leave);
        // The first slot is free as well, and a thread new to the plan would get it.
        assertThat(on(other, this::enter)).isEqualTo(second);
        on(other, this::leave);
        assertThat(enter()).isEqualTo(first);
        assertThat(on(one, this::enter)).isEqualTo(second);
        leave();
        on(one, this::leave);
        binder.restoreAll();
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(allowed);
        assertThat(mask()).isEqualTo(allowed);
    }

    @Test
    void aTaskThatBeganBeforeIsBoundOnItsThread() throws Exception {
        Thread thread = thread(one);
        binder.adopt(thread, 7, CpuAmount.ONE, null, () -> true);
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(first);
        assertThat(on(other, this::enter)).isEqualTo(second);
        on(one, this::leave);
        binder.restoreAll();
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(allowed);
    }

    @Test
    void aTaskThatHasEndedMeanwhileOrCannotBeBoundHoldsNoSlot() throws Exception {
        Thread thread = thread(one);
        binder.adopt(thread, 7, CpuAmount.ONE, null, () -> false);
        CpuSet none = CpuSet.of(4000);
        assertThatThrownBy(() -> binder.adopt(thread, 7, CpuAmount.ONE, none, () -> true))
                .isInstanceOf(RuntimeException.class);
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(allowed);
        assertThat(binder.running()).isEmpty();
        assertThat(binder.summary()).isEqualTo("2 slots, 0 tasks, 0 of them shared a slot");
        assertThat(on(other, this::enter)).isEqualTo(first);
    }

    private static Thread thread(ExecutorService pool) throws Exception {
        return pool.submit(Thread::currentThread).get();
    }

    /** Changes the mask as a task may do, or the kernel when the cpuset changes. */
    @Test
    void maskThatWasChangedMeanwhileIsPutRight() throws Exception {
        on(one, this::enter);
        on(one, this::leave);
        on(one, () -> {
            LocalMachine.open().binder().setThreadCpusUnverified(CpuSet.parseList(allowed));
            return "";
        });
        assertThat(on(one, this::enter)).isEqualTo(first);
    }

    @Test
    void taskWhoseEndWasNotToldHoldsNoSecondSlot() throws Exception {
        on(one, this::enter);
        assertThat(on(one, this::enter)).isEqualTo(first);
        assertThat(on(other, this::enter)).isEqualTo(second);
        assertThat(binder.summary()).isEqualTo("2 slots, 3 tasks, 0 of them shared a slot");
    }

    @Test
    void failureLeavesTheThreadAsItWasAndTheSlotFree() throws Exception {
        Machine.requireJava(21);
        // The binder refuses virtual threads.
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        Runnable task = () -> refused.complete(catchThrowable(() -> binder.enter(0, CpuAmount.ONE, null)));
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        assertThat(refused.get()).hasMessageContaining("virtual");
        assertThat(on(one, this::enter)).isEqualTo(first);
        assertThat(binder.summary()).isEqualTo("2 slots, 1 tasks, 0 of them shared a slot");
    }

    @Test
    void threadWithoutWorkIsGivenAllCpusBackAtTheSecondLook() throws Exception {
        on(one, this::enter);
        on(other, this::enter);
        on(other, this::leave);
        binder.restoreIdle();
        assertThat(on(other, TaskBinderTest::mask)).isEqualTo(second);
        binder.restoreIdle();
        assertThat(on(other, TaskBinderTest::mask)).isEqualTo(allowed);
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(first);
        assertThat(on(other, this::enter)).isEqualTo(second);
    }

    @Test
    void taskThatSparkGaveItsCpusIsBoundToThem() throws Exception {
        on(one, this::enter);
        binder.enter(7, CpuAmount.ONE, CpuSet.parseList(first));
        assertThat(mask()).isEqualTo(first);
        assertThat(binder.running()).extracting(TaskBinder.RunningTask::taskId).containsExactlyInAnyOrder(0L, 7L);
        assertThat(leave()).isEqualTo(first);
        binder.restoreAll();
        assertThat(mask()).isEqualTo(allowed);
    }

    /** The widest slot is the domain, which here is all that the process may use. */
    @Test
    void tasksUseTheirDomainWhileSlotsAreWideAndTheirSlotsAgainAfterwards() throws Exception {
        LocalMachine machine = LocalMachine.open();
        int widest = SlotWidths.of(machine.topology(), CpuSet.parseList(allowed), binder.slots())
                .widest();
        on(one, this::enter);
        binder.widen(widest);
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(allowed);
        assertThat(on(other, this::enter)).isEqualTo(allowed);
        binder.widen(0);
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(first);
        assertThat(on(other, TaskBinderTest::mask)).isEqualTo(second);
        assertThat(binder.tids()).hasSize(2);
    }

    /** Another thread rebinds a running task, as after a change of the cpuset. */
    @Test
    void runningTasksGoOverToOtherPlacesAtOnce() throws Exception {
        on(one, this::enter);
        on(other, this::enter);
        on(other, this::leave);
        LocalMachine machine = LocalMachine.open();
        CpuSet domain = CpuSet.parseList(second);
        SlotTable table = SlotTable.of(machine.topology(), OrderedLevel.of(AffinityLevel.PU), domain);
        binder.replace(machine.binder(), table, domain, SlotWidths.none());
        assertThat(on(one, TaskBinderTest::mask)).isEqualTo(second);
        assertThat(on(other, TaskBinderTest::mask)).isEqualTo(second);
        assertThat(on(one, this::leave)).isEqualTo(second);
        assertThat(binder.running()).isEmpty();
    }

    private String enter() throws IOException {
        binder.enter(0, CpuAmount.ONE, null);
        return mask();
    }

    private String leave() throws IOException {
        binder.leave();
        return mask();
    }

    private static String on(ExecutorService thread, Callable<String> work) throws Exception {
        return thread.submit(work).get();
    }

    private static String mask() throws IOException {
        return ProcStatus.callingThread().cpus();
    }

    private String plan() throws IOException {
        return Files.writeString(folder.resolve("plan"), """
                        berth-plan 1
                        level pu
                        memory local
                        allowed %1$s,%2$s
                        oversubscribed no
                        slot index=0 worker=0 thread=0 role=task cpus=%1$s nodes= reason=for a test
                        slot index=1 worker=0 thread=1 role=task cpus=%2$s nodes= reason=for a test
                        """.formatted(first, second))
                .toString();
    }
}
