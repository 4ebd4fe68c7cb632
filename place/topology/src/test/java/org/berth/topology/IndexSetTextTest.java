package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.berth.machines.Machines;
import org.berth.machines.RandomSeed;
import org.berth.oracle.HwlocTools;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexSetTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-3,8|0-3,8",
                "''|''",
                "8,0-3|0-3,8",
                "0-3,2-5|0-5",
                "4-|4-",
                "0,4-,70|0,4-",
                "63,64|63-64",
                "' 1 , 3 '|1,3",
                "0-1023|0-1023",
                "1048575|1048575",
            })
    void listsAreRead(String text, String canonical) {
        assertThat(CpuSet.parseList(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x0000000f|0-3",
                "f|0-3",
                "0XF|0-3",
                "ffffffffffffffff1|0,4-67",
                "00000001,00000000|32",
                "0x1,,0x0|64",
                "0x00000001,0x0|32",
                "0xf...f|0-",
                "0xf...f,0xfffffff0|4-",
                "0xf...f,0x0|32-",
                "0xf...f0|4-",
                "0xf...ffffffffffffffff0|4-",
                "0xf...f00000000000000000|68-",
                "0x0|''",
            })
    void masksAreRead(String text, String list) {
        assertThat(CpuSet.parseMask(text)).hasToString(list);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "-",
                "-3",
                "1-2-3",
                "3-1",
                "1,,2",
                "1,",
                ",",
                "0x3",
                "1048576",
                "4294967296",
                "99999999999999999999",
                "1;2",
                "1 2",
                "0-1000000000",
                "\u0663"
            })
    void badListsAreRefusedInOneLine(String text) {
        assertThatThrownBy(() -> CpuSet.parseList(text))
                .isInstanceOf(IllegalArgumentException.class)
                .isNotInstanceOf(NumberFormatException.class)
                .hasMessageStartingWith("CPU list \"" + text + "\": ")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0x", "g", "0x1,0x123456789", "0xf...fg", "0xf...f,", "1-2", "0x0x1", "0x-1", "+1", "\uff11"
            })
    void badMasksAreRefusedInOneLine(String text) {
        assertThatThrownBy(() -> NodeSet.parseMask(text))
                .isInstanceOf(IllegalArgumentException.class)
                .isNotInstanceOf(NumberFormatException.class)
                .hasMessageStartingWith("node mask \"" + text + "\": ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void hugeTextsAreRefusedWithAShortMessage() {
        for (String text :
                List.of("f".repeat(2_000_000), ",".repeat(2_000_000), "0x1," + "0x0,".repeat(200_000) + "0x0")) {
            assertThatThrownBy(() -> CpuSet.parseMask(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(200));
        }
    }

    @Test
    void masksAreThoseOfHwloc() {
        var calc = Tool.require("hwloc-calc");
        long seed = RandomSeed.next("masks");
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            CpuSet set = CpuSet.empty();
            for (int j = random.nextInt(5); j >= 0; j--) {
                int from = random.nextInt(300);
                set = set.union(CpuSet.range(from, from + random.nextInt(70)));
            }
            set = random.nextBoolean() ? set : set.complement();
            String mask = set.toMaskString();
            String theirs = HwlocTools.run(calc, Machines.xml("2arm-2c"), mask);
            assertThat(theirs.strip()).as("seed %s", seed).isEqualTo(mask);
            String taskset = HwlocTools.run(calc, Machines.xml("2arm-2c"), "--taskset", mask);
            assertThat(taskset.strip()).as("seed %s", seed).isEqualTo(set.toTasksetString());
            if (!set.isInfinite()) { // hwloc-calc does not take this form of infinite sets
                String back = HwlocTools.run(calc, Machines.xml("2arm-2c"), set.toTasksetString());
                assertThat(back.strip())
                        .as("seed %s, %s", seed, set.toTasksetString())
                        .isEqualTo(mask);
            }
        }
    }

    @Test
    void kindsOfSetsAreDifferentTypes() {
        assertThat(CpuSet.of(1).equals((Object) NodeSet.of(1))).isFalse();
    }

    @Test
    void indexesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> CpuSet.of(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.of(1 << 20)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.range(3, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.empty().with(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.ofLongs(new long[1 << 15])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.from(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.empty().word(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.empty().withWord(1 << 14, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuSet.empty().withRange(5, 4)).isInstanceOf(IllegalArgumentException.class);
    }
}
