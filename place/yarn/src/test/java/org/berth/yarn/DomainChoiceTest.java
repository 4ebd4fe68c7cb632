package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DomainChoiceTest {
    /** 2 packages, 4 NUMA nodes of 8 cores with 2 logical CPUs each. */
    private static final Host SERVER = new Host(64, 32, 4, 16, 2, 32, 4, 16);

    private static final Host LAPTOP = new Host(8, 4, 1, 8, 1, 8, 1, 8);

    @ParameterizedTest
    @CsvSource({
        "64, 1, numa", // vcores are logical CPUs
        "64, 16, numa",
        "64, 17, package",
        "64, 32, package",
        "64, 33, ''",
        "32, 8, numa", // vcores are cores
        "32, 9, package",
        "256, 64, numa", // four vcores to a logical CPU
        "256, 65, package",
        "256, 129, ''",
        "48, 12, numa", // some are kept for other daemons
        "48, 13, package",
        "64, 0, numa",
        "8, 100, ''" // more than there are: it was given by the scheduler of an older setting
    })
    void findsTheSmallestPartThatHoldsTheShare(int vcores, int container, String word) {
        assertThat(new DomainChoice(SERVER, vcores, DomainChoice.AUTO)
                        .of(container)
                        .orElse(""))
                .isEqualTo(word);
    }

    /** One package and node of 8 L3 caches with 8 cores of 2 logical CPUs each. */
    @ParameterizedTest
    @CsvSource({
        "1, l3", "4, l3", "8, l3", "16, l3", "5, ''", // 25 fit on the machine, 24 into the caches
        "10, ''", "17, ''", "128, ''"
    })
    void findsCachesWhereTheyHoldAsManyContainersAsTheMachine(int container, String word) {
        Host epyc = new Host(128, 64, 1, 128, 1, 128, 8, 16);
        assertThat(new DomainChoice(epyc, 128, DomainChoice.AUTO).of(container).orElse(""))
                .isEqualTo(word);
        assertThat(new DomainChoice(epyc, 128, DomainChoice.AUTO).describe()).contains("one of 8 L3 caches");
    }

    @ParameterizedTest
    @CsvSource({"32, 1, core:1", "32, 8, core:8", "64, 1, core:1", "64, 8, core:4", "96, 4, core:2", "8, 100, core:32"})
    void givesCoresByTheShare(int vcores, int container, String word) {
        assertThat(new DomainChoice(SERVER, vcores, DomainChoice.CORES).of(container))
                .contains(word);
    }

    @ParameterizedTest
    @CsvSource({"auto, ''", "none, ''", "numa, numa", "l3, l3", "core:2, core:2", "cores, core:1"})
    void takesTheSettingAndBindsNothingWithoutAChoice(String domain, String word) {
        assertThat(new DomainChoice(LAPTOP, 8, domain).of(1).orElse("")).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({"auto, auto binds nothing here", "none, not bound", "l3, one l3", "cores, of the 4 cores"})
    void saysWhatItDoes(String domain, String text) {
        assertThat(new DomainChoice(LAPTOP, 8, domain).describe()).contains(text);
    }
}
