package org.berth.spark.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.berth.machines.Machines;
import org.junit.jupiter.api.Test;

final class StatusBookTest {
    private static final long NOW = UiFixture.NOW_MILLIS;

    private final StatusBook book = new StatusBook();

    private static ExecutorStatus status(String id) {
        return UiFixture.status(id, "alpha", "m", "0", "1");
    }

    private List<String> living() {
        return book.status(NOW).executors().stream()
                .map(executor -> executor.status().executorId())
                .toList();
    }

    @Test
    void lostExecutorsStayLostButTheirCountersCount() {
        book.put(status("10"), NOW);
        book.put(status("9"), NOW);
        book.put(status("10"), NOW + 1);
        assertThat(living()).containsExactly("9", "10");

        book.forget("10");
        book.forget("10");
        book.put(status("10"), NOW + 2);
        assertThat(living()).containsExactly("9");
        assertThat(book.status(NOW).endedExecutors()).isEqualTo(1);
        assertThat(book.total().tasks()).isEqualTo(200);
        assertThat(book.total().memoryBytes()).isEqualTo(4L << 30);
    }

    @Test
    void aMachineIsAskedForOnce() {
        assertThat(book.put(status("0"), NOW)).isTrue();
        assertThat(book.put(status("0"), NOW)).isTrue();
        book.learn(new StatusTopology("m", Machines.xml(Machines.names().get(0))));
        assertThat(book.put(status("1"), NOW)).isFalse();
        assertThat(book.put(UiFixture.status("2", "alpha", "", "0", "1"), NOW)).isFalse();
        assertThat(book.put(UiFixture.status("3", "beta", "other", "0", "1"), NOW))
                .isTrue();
        book.learn(new StatusTopology("other", "no machine at all"));
        assertThat(book.put(UiFixture.status("3", "beta", "other", "0", "1"), NOW))
                .isFalse();
    }

    @Test
    void executorsThatSendNothingAreNamed() {
        book.expect("0", "alpha", NOW);
        book.expect("1", "alpha", NOW);
        book.put(status("0"), NOW);
        assertThat(book.status(NOW).silent())
                .extracting(ClusterStatus.SilentExecutor::executorId)
                .containsExactly("1");
        book.forget("1");
        assertThat(book.status(NOW).silent()).isEmpty();
    }

    @Test
    void memoryIsBounded() {
        ExecutorStatus large = UiFixture.texts("x", "0,2,".repeat(100_000));
        long room = StatusBook.MAX_CHARACTERS / large.characters();
        assertThat(large.characters()).isLessThan(200_000);
        for (int i = 0; i < room + 5; i++) {
            book.put(UiFixture.texts("" + i, "0,2,".repeat(100_000)), NOW);
        }
        assertThat(living()).hasSizeBetween((int) room - 1, (int) room);
        assertThat(book.status(NOW).notKept()).isBetween(5, 6);

        book.forget("0");
        book.put(UiFixture.texts("" + (room + 4), "0,2,".repeat(100_000)), NOW);
        assertThat(living()).contains("" + (room + 4));
    }

    @Test
    void machinesNobodyHasAnyMoreMakeRoom() {
        book.put(UiFixture.status("0", "alpha", "m0", "0", "1"), NOW);
        for (int i = 0; i < 3 * StatusBook.MAX_MACHINES; i++) {
            book.learn(new StatusTopology("m" + i, Machines.xml(Machines.names().get(0))));
        }
        ClusterStatus.Host host = book.status(NOW).hosts().get(0);
        assertThat(host.machine().topology()).isPresent();
    }

    @Test
    void aStatusIsCutAndSaysSo() {
        ExecutorStatus.SlotStatus slot = new ExecutorStatus.SlotStatus(0, "0", "", List.of());
        ExecutorStatus status = new ExecutorStatus(
                "0",
                "alpha",
                1,
                NOW,
                "pu",
                "",
                "",
                "0",
                "",
                Collections.nCopies(ExecutorStatus.MAX_SLOTS + 3, slot),
                UiFixture.counters(1),
                UiFixture.heap(),
                List.of(),
                Collections.nCopies(500, "x".repeat(5000)));
        assertThat(status.slots()).hasSize(ExecutorStatus.MAX_SLOTS);
        assertThat(status.notes())
                .contains("450 of 500 notes are left out here", "3 of 4099 task slots are left out here")
                .allMatch(note -> note.length() <= 1001);
    }
}
