package org.berth.cli.topo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.cli.CommandLines;
import org.berth.machines.JsonValues;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts of a cluster, one of which is not as it should be. */
class TopologyDriftTest {
    private static final String MACHINE = "memorysidecaches";

    @TempDir
    private Path folder;

    private Path good = Path.of("");
    private Path renamed = Path.of("");
    private Path bad = Path.of("");

    @BeforeEach
    void hosts() throws IOException {
        String xml = Machines.xml(MACHINE);
        good = Files.writeString(folder.resolve("good.xml"), xml);
        renamed = Files.writeString(
                folder.resolve("renamed.xml"),
                xml.replace("name=\"HostName\" value=\"leonide\"", "name=\"HostName\" value=\"other\""));
        bad = Files.writeString(
                folder.resolve("bad.xml"),
                xml.replace("value=\"2.2.11\"", "value=\"2.1.8\"")
                        .replaceFirst("local_memory=\"\\d+\"", "local_memory=\"4096\""));
    }

    private static Result diff(Path one, Path other, String... more) {
        List<String> words = new ArrayList<>(List.of("topo", "--diff", one.toString(), other.toString()));
        words.addAll(List.of(more));
        return CommandLines.run(words.toArray(new String[0]));
    }

    @Test
    void hostsThatAreAlikeGiveNoDifference() {
        Result same = diff(good, good);
        assertThat(same.exitCode()).as(same.err()).isZero();
        assertThat(same.out()).endsWith("No difference.\n");
    }

    @Test
    void aNameOfTheHostIsNoDrift() {
        Result named = diff(good, renamed);
        assertThat(named.exitCode()).isZero();
        assertThat(named.out())
                .contains("No difference.")
                .contains("Not counted")
                .contains("(HostName)");
        Map<String, Object> json =
                JsonValues.object(diff(good, renamed, "--json").out());
        assertThat(json).containsEntry("different", false).containsEntry("format", "berth-topology-diff");
        assertThat((List<?>) JsonValues.field(json, "changes")).hasSize(1);
    }

    @Test
    void driftIsSaidObjectByObject() {
        Result drift = diff(good, bad);
        assertThat(drift.exitCode()).isEqualTo(3);
        assertThat(drift.out().replaceAll("\\s+", " "))
                .contains("Machine L#0 (P#0): DMIBIOSVersion \"2.2.11\" becomes \"2.1.8\"")
                .contains("becomes 4 KiB (4096 bytes)");
        assertThat(drift.out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(JsonValues.object(diff(good, bad, "--json").out())).containsEntry("different", true);
    }

    @Test
    void hwlocPatchMakesOneHostOfTheOther() throws Exception {
        Tool.require("hwloc-patch");
        Path patch = folder.resolve("patch.xml");
        Result written = diff(good, bad, "--xml", patch.toString());
        assertThat(written.exitCode()).as(written.err()).isEqualTo(3);
        assertThat(written.out()).isEmpty();
        Path patched = folder.resolve("patched.xml");
        Result hwloc = CommandLines.start(
                List.of("hwloc-patch", good.toString(), patch.toString(), patched.toString()), Map.of());
        assertThat(hwloc.exitCode()).as(hwloc.err()).isZero();
        assertThat(diff(bad, patched).out()).contains("No difference.");
    }

    @Test
    void noControlCharacterReachesTheTerminal() throws IOException {
        String xml = Machines.xml(MACHINE).replace("value=\"2.2.11\"", "value=\"&#x9b;31m&#x7f;\"");
        Path odd = Files.writeString(folder.resolve("odd.xml"), xml);
        Result drift = diff(good, odd);
        assertThat(drift.exitCode()).isEqualTo(3);
        assertThat(drift.out()).contains("\"?31m?\"").matches("[\\x20-\\x7e\\n]*");
    }

    @Test
    void anotherShapeIsSaidToo() {
        Result shape = diff(good, Path.of("pack:2 core:2 pu:2"));
        assertThat(shape.exitCode()).isEqualTo(3);
        assertThat(shape.out()).contains("CPUs 0-79 become 0-7; objects below it are not compared");
        Result xml = diff(good, Path.of("pack:2 core:2 pu:2"), "--xml", "-");
        assertThat(xml.exitCode()).isEqualTo(1);
        assertThat(xml.err()).contains("hwloc's format cannot express");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        for (String[] words : new String[][] {
            {"topo", "--diff", "live"},
            {"topo", "--diff", "-", "-"},
            {"topo", "--diff", "live", "live", "--whole"},
            {"topo", "--diff", "live", "live", "--input", "pu:2"},
            {"topo", "--diff", "live", "live", "--diff", "live", "live"},
            {"topo", "--whole", "--input", "pack:2 pu:2"}
        }) {
            Result refused = CommandLines.run(words);
            assertThat(refused.exitCode()).as(String.join(" ", words)).isEqualTo(2);
            assertThat(refused.err()).startsWith("berth: ").hasLineCount(1);
        }
        assertThat(diff(good, folder.resolve("absent.xml")).exitCode()).isEqualTo(1);
    }

    @Test
    void theWholeMachineCanBeShown() {
        Result whole = CommandLines.run("topo", "--whole");
        assertThat(whole.exitCode()).as(whole.err()).isZero();
        assertThat(whole.out()).contains("This process may use");
    }
}
