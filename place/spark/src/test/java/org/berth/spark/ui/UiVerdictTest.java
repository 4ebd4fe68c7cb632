package org.berth.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.spark.status.StatusBook;
import org.berth.spark.status.UiFixture;
import org.junit.jupiter.api.Test;

class UiVerdictTest {
    @Test
    void countersBecomeASentence() {
        StatusBook book = new StatusBook();
        assertThat(verdict(book)).isEqualTo("No executor has sent anything so far.");
        // A hundred tasks, 3 rebinds, none shared, one failure, 17 migrations.
        book.put(UiFixture.status("0", "alpha", "m", "0", "1"), UiFixture.NOW_MILLIS);
        assertThat(verdict(book))
                .isEqualTo(
                        "97 % of tasks kept the slot that their thread had before, and 0 % shared one. 1 binding failed. Threads"
                                + " migrated 17 times, 17.0 for 100 tasks.");
    }

    @Test
    void nearlyAllIsNotAll() {
        StatusBook book = new StatusBook();
        book.put(UiFixture.idle("0", 0), UiFixture.NOW_MILLIS);
        assertThat(verdict(book)).isEqualTo("No task has started so far.");
        book.put(UiFixture.idle("0", 100_000), UiFixture.NOW_MILLIS);
        assertThat(verdict(book)).startsWith("more than 99.9 % of tasks kept");
    }

    private static String verdict(StatusBook book) {
        return UiVerdict.of(book.status(UiFixture.NOW_MILLIS));
    }
}
