package org.berth.binding.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.berth.machines.Machines;
import org.berth.placement.PlacementException;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapPolicyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "weighted",
                "weighted:3,1",
                "weighted:3,1@0-1",
                "interleave",
                "bind@0,2",
                "prefer-balance@tier:dram",
                "weighted:2,1@tier:hbm"
            })
    void whatIsReadIsWrittenAgain(String text) {
        assertThat(HeapPolicy.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "near | unknown memory mode 'near'",
                "local | local is what the heap has",
                "bind:0 | only weighted has weights",
                "weighted: | weights are at most 64 numbers from 1 to 999999",
                "weighted:3,0 | weights are at most 64 numbers from 1 to 999999",
                "weighted:3,1@0 | 2 weights for node 0; give each node one",
                "bind@ | no finite list of nodes",
                "bind@1- | no finite list of nodes",
                "bind@x | node list",
                "bind@tier: | there is no tier after the colon",
            })
    void aMistakeIsOneLine(String text, String reason) {
        assertThatThrownBy(() -> HeapPolicy.parse(text))
                .isInstanceOf(PlacementException.class)
                .message()
                .startsWith(reason)
                .hasLineCount(1);
    }

    /** The nodes are those of LevelPolicyTest: HBM near the second and third pair of cores, DRAM near the first two. */
    @Test
    void aTierIsLookedUpForTheCpusOfTheProcess() {
        Topology machine = TopologyXml.parse(Machines.xml("fakeheteromemtiers"));
        CpuSet all = machine.cpuSet();
        assertThat(HeapPolicy.parse("bind@tier:hbm").on(machine, all)).hasToString("bind@2,4");
        assertThat(HeapPolicy.parse("weighted:3,1@tier:dram").on(machine, all)).hasToString("weighted:3,1@0-1");
        assertThat(HeapPolicy.parse("weighted:3,1").on(machine, all)).hasToString("weighted:3,1");
        assertThatThrownBy(() -> HeapPolicy.parse("weighted:3,1@tier:nvm").on(machine, all))
                .isInstanceOf(PlacementException.class)
                .hasMessage("2 weights for nodes 6,8-9; give each node one");
    }
}
