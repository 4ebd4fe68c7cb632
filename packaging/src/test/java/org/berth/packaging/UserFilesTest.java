package org.berth.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Main;
import org.berth.oracle.Child;
import org.berth.oracle.Child.Result;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Manual pages and completion as groff and the shells themselves read them; testing/package has the rest. */
@Tag("one-jdk")
class UserFilesTest {
    @TempDir
    private static Path share;

    @BeforeAll
    static void write() throws IOException {
        UserFiles.write(share, "1.2.3", "2026-01-02");
    }

    @Test
    void everyCommandHasAPageWithItsOptions() throws IOException {
        for (CommandLine command : Main.commandLine().getSubcommands().values()) {
            String page = Files.readString(share.resolve("man/man1/berth-" + command.getCommandName() + ".1"));
            assertThat(page)
                    .startsWith(".TH \"BERTH\\-")
                    .contains("\"2026\\-01\\-02\"")
                    .contains("1.2.3");
            command.getCommandSpec()
                    .optionsMap()
                    .keySet()
                    .forEach(name -> assertThat(page).contains("\\fB" + name.replace("-", "\\-") + "\\fR"));
            assertThat(page).doesNotContain("${").doesNotContain("@|");
        }
    }

    @Test
    void theCommandsOfAGroupHavePagesToo() throws IOException {
        assertThat(Files.readString(share.resolve("man/man1/berth-conf-spark.1")))
                .startsWith(".TH \"BERTH\\-CONF\\-SPARK\"")
                .contains("\\fB\\-\\-manager\\fR")
                .contains("berth\\-conf(1)");
        assertThat(Files.readString(share.resolve("man/man1/berth-study.1")))
                .contains("berth\\-study\\-affinity(1)")
                .contains("berth(1)");
    }

    @Test
    void aPageNamesOptionsThatNeedOrExcludeOthers() throws IOException {
        assertThat(Files.readString(share.resolve("man/man1/berth-probe.1")))
                .contains("OPTIONS THAT NEED OR EXCLUDE OTHERS")
                .contains("\n\\-\\-loopback excludes \\-\\-peer.\n")
                .contains("\n\\-\\-nic needs \\-\\-loopback or \\-\\-peer HOST:PORT.\n");
        assertThat(Files.readString(share.resolve("man/man1/berth-leases.1"))).doesNotContain("EXCLUDE OTHERS");
    }

    @Test
    void escapesWhatRoffWouldTakeForARequest() {
        assertThat(ManualPage.escaped(".so \\f \"x\" a-b")).isEqualTo("\\&.so \\ef \\(dqx\\(dq a\\-b");
        assertThat(ManualPage.escaped("'quoted'")).isEqualTo("\\&'quoted'");
    }

    @Test
    void bashCompletesCommandsAndOptions() {
        assertThat(bash("ru")).containsExactly("run");
        assertThat(bash("run", "--lev")).containsExactly("--level");
        assertThat(bash("conf", "spark", "--man")).containsExactly("--manager");
    }

    private static List<String> bash(String... words) {
        // Bash refuses compopt outside a completion.
        String script =
                "compopt() { :; }; source \"$1\"; shift; COMP_WORDS=(berth \"$@\"); COMP_CWORD=$#; _complete_berth;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"";
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        command.add(share.resolve("bash-completion/completions/berth").toString());
        command.addAll(List.of(words));
        Result result = Child.run(new ProcessBuilder(command));
        assertThat(result.err()).isEmpty();
        return result.out().lines().map(String::strip).toList();
    }

    @Test
    void fishCompletesCommandsAndOptions() {
        Tool.require("fish");
        assertThat(fish("berth ru")).singleElement().asString().startsWith("run\tStart a command, bound");
        assertThat(fish("berth run --lev")).singleElement().asString().startsWith("--level");
        assertThat(fish("berth conf ya")).singleElement().asString().startsWith("yarn\tPrint the YARN properties");
        assertThat(fish("berth conf spark --man")).singleElement().asString().startsWith("--manager");
    }

    @Test
    void fishOffersNoOptionThatAnotherOneExcludes() {
        Tool.require("fish");
        assertThat(fish("berth irq --rest")).singleElement().asString().startsWith("--restore");
        assertThat(fish("berth irq --spread --rest")).isEmpty();
    }

    private static List<String> fish(String line) {
        Path completion = share.resolve("fish/vendor_completions.d/berth.fish");
        Result result = Child.run(new ProcessBuilder(
                "fish", "--no-config", "-c", "source " + completion + "; complete -C '" + line + "'"));
        assertThat(result.err()).isEmpty();
        return result.out().lines().toList();
    }

    @Test
    void quotesForFish() {
        assertThat(FishCompletion.quoted("it's a \\")).isEqualTo("'it\\'s a \\\\'");
    }
}
