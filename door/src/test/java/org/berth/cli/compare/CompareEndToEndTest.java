package org.berth.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.binding.LocalMachine;
import org.berth.cli.CliProcess;
import org.berth.machines.JsonValues;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** A whole comparison of a small JVM; on a machine of one CPU there is nothing to compare, which is checked too. */
@Tag("one-jdk")
final class CompareEndToEndTest {
    @TempDir
    private Path folder;

    private Child.Result compare(String... work) throws Exception {
        String[] before = {
            "compare",
            "--explain",
            "--levels",
            "none,pu",
            "--runs",
            "1",
            "--rule",
            "worker-?",
            "--results",
            folder + "/results",
            "--report",
            folder + "/copy.html",
            "--"
        };
        List<String> all = new ArrayList<>(List.of(before));
        all.addAll(List.of(work));
        return CliProcess.run(folder, all.toArray(new String[0]));
    }

    @Test
    void levelsRunInTurnsAndTheRawResultsStay() throws Exception {
        Child.Result result = compare(CliProcess.JAVA, "-cp", CliProcess.CLASS_PATH, CompareSubject.class.getName());

        if (LocalMachine.open().topology().allowedCpuSet().size() == 1) {
            assertThat(result.err()).contains("nothing to compare");
            return;
        }
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).contains("warm-up").contains("round 1/1");
        assertThat(result.out())
                .contains("ARM")
                .contains("none")
                .contains("pu")
                .contains("All runs computed the same result (42).")
                .contains("Raw results, logs and plans: " + folder.resolve("results"));
        assertThat(Files.readString(folder.resolve("results/plan-pu.txt"))).contains("rule role=task glob=worker-?");
        assertThat(result.out()).contains("Report: " + folder.resolve("copy.html"));
        String page = Files.readString(folder.resolve("results/report.html"));
        assertThat(page).isEqualTo(Files.readString(folder.resolve("copy.html")));
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(page)));
        assertThat(document.getElementsByTagName("desc").getLength())
                .as("pictures: bars, ratios, order, distribution, a timeline of each arm")
                .isEqualTo(6);
        assertThat(page).contains("worker-0").contains(CompareSubject.class.getName());
        assertThat(Files.readAllLines(folder.resolve("results/timelines.jsonl")))
                .hasSize(2)
                .allMatch(line -> line.contains("\"name\":\"worker-0\""));
        assertThat(Files.readAllLines(folder.resolve("results/trials.csv"))).hasSize(1 + 4);
        assertThat(Files.readString(folder.resolve("results/report.md"))).contains("## The exact commands");
        // Bound threads were seen in their places; an unbound run of the same work would show none.
        assertThat(result.out()).containsPattern("pu .* [1-9][0-9.]* %\n");
    }

    @Test
    void jsonOnStandardOutputIsAloneThere() throws Exception {
        String results = folder.resolve("results").toString();
        Child.Result result = CliProcess.run(
                folder,
                "compare",
                "--levels",
                "none",
                "--arm",
                "x=X=1",
                "--runs",
                "1",
                "--results",
                results,
                "--json",
                "-",
                "--",
                "true");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(JsonValues.field(JsonValues.object(result.out()), "results")).isEqualTo(results);
        assertThat(result.err())
                .contains("Raw results, logs and plans: " + results)
                .contains("Report: ");
    }

    @Test
    void aRunThatFailsIsCountedAndMakesTheExitCodeOne() throws Exception {
        Path seen = folder.resolve("seen");
        Child.Result result = compare("sh", "-c", "echo x >>" + seen + "; [ $(wc -l <" + seen + ") = 1 ] || exit 3");

        assertThat(result.exitCode()).isEqualTo(1);
        if (LocalMachine.open().topology().allowedCpuSet().size() > 1) {
            assertThat(result.err()).contains("failed (exit code 3), see ");
            assertThat(result.out()).contains("pu: no verdict");
        }
    }
}
