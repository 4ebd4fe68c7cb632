package org.berth.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.berth.machines.Machines;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.ExecutorStatus.SlotStatus;
import org.berth.spark.status.StatusBook;
import org.berth.spark.status.StatusTopology;
import org.berth.spark.status.UiFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Machines and texts that no test machine has, in a real browser at three widths, dark; pictures stay in target/affinity-tab. */
@Tag("long")
@Tag("one-jdk")
@Timeout(300)
final class UiBrowserTest {
    private static final String HOSTILE =
            "<script>document.title='taken'</script>\"><img src=x onerror=\"document.title='taken'\">"
                    + "w".repeat(400);

    private static ExecutorStatus executor(int number, String cpus, String nodes, String first, String second) {
        List<SlotStatus> slots = List.of(
                new SlotStatus(0, first, nodes, List.of(100L + number)),
                new SlotStatus(1, second, nodes, number % 2 == 0 ? List.of() : List.of(200L, 201L, 202L + number)));
        return new ExecutorStatus(
                Integer.toString(number),
                "worker-17.example.org",
                4000 + number,
                UiFixture.NOW_MILLIS,
                "core",
                "one package with its memory node for each of 4 executors",
                "m",
                cpus,
                nodes,
                slots,
                UiFixture.counters(1234),
                UiFixture.heap(),
                List.of(),
                number == 2 ? List.of("shuffle-server-5-1 was not bound: EPERM, ask for CAP_SYS_NICE") : List.of());
    }

    @Test
    void largeMachinesFitTheScreen() throws Exception {
        StatusBook book = new StatusBook();
        String machine = Machines.xml("fakecpuid1f-64intel64-2p4d2n2c2t");
        book.learn(new StatusTopology("m", machine));
        book.put(executor(0, "0-15", "0", "0-1", "2-3"), UiFixture.NOW_MILLIS);
        book.put(executor(1, "16-31", "1", "16-17", "18-19"), UiFixture.NOW_MILLIS);
        book.put(executor(2, "32-47", "2", "32-33", "34-35"), UiFixture.NOW_MILLIS);
        book.put(executor(10, "40-63", "3", "48-49", "50-51"), UiFixture.NOW_MILLIS);
        book.expect("11", "worker-18.example.org", UiFixture.NOW_MILLIS);

        try (UiBrowser browser = UiBrowser.ofContent(content(book))) {
            assertThat(browser.faults("large")).isEqualTo("[]");
            assertThat(browser.document())
                    .satisfies(page ->
                            assertThat(count(page, "class=\"pu")).as("cells").isEqualTo(64));
        }
    }

    @Test
    void hostileTextsStayTextsAndFitAPhone() throws Exception {
        StatusBook book = new StatusBook();
        book.put(UiFixture.texts(HOSTILE, HOSTILE), UiFixture.NOW_MILLIS);
        book.expect(HOSTILE + "2", HOSTILE, UiFixture.NOW_MILLIS);
        try (UiBrowser browser = UiBrowser.ofContent(content(book))) {
            assertThat(browser.faults("hostile")).isEqualTo("[]");
            assertThat(browser.document()).contains("<title>page</title>").doesNotContain("<script>");
        }
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    private static String content(StatusBook book) {
        ClusterStatus view = book.status(UiFixture.NOW_MILLIS + 1500);
        return new UiContent(view, "/affinity/", "").render().toString();
    }
}
