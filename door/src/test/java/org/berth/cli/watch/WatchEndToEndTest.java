package org.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.cli.CliProcess;
import org.berth.cli.UntilSeen;
import org.berth.cli.run.NamedThreadsSubject;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.Tool;
import org.berth.text.ShellWord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WatchEndToEndTest {
    private static final String BUSY = UntilSeen.script(10) + "exit 5";

    @TempDir
    private Path folder;

    @Test
    void aCommandKeepsItsStreamsAndItsExitCode() throws Exception {
        try (CliProcess watch =
                CliProcess.start(folder, "watch", "--", "sh", "-c", "read x; echo \"got $x\"; " + BUSY)) {
            watch.send("a line");
            Child.Result result = watch.finish();

            assertThat(result.out()).isEqualTo("got a line\n");
            assertThat(result.exitCode()).isEqualTo(5);
            assertThat(result.err()).contains("THREAD").contains("MIGR.").contains("Migrations seen in samples: ");
        }
    }

    @Test
    void pictureAndJsonHoldTheThreadsOfTheProcess() throws Exception {
        Path svg = folder.resolve("w.svg");
        Path json = folder.resolve("w.json");
        Child.Result result = CliProcess.run(
                folder, "watch", "--svg", svg.toString(), "--json", json.toString(), "--", "sh", "-c", BUSY);

        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(svg.toFile())
                        .getDocumentElement()
                        .getTagName())
                .isEqualTo("svg");
        assertThat(fields(json)).contains("pid", "threads", "runs", "cpu", "betweenCpusSeen");
    }

    @Test
    void aRunningProcessIsWatchedUntilTheUserHasSeenEnough() throws Exception {
        try (Child busy = Child.start("sh", "-c", "echo begun; while :; do :; done")) {
            assertThat(busy.readLine()).isEqualTo("begun");
            try (CliProcess watch = CliProcess.start(folder, "watch", Long.toString(busy.pid()))) {
                assertThat(watch.readLine()).contains("1 thread, ");
                watch.signal("INT");
                Child.Result result = watch.finish();

                assertThat(result.out()).contains("sh (process " + busy.pid() + "), watched for ");
                assertThat(result.exitCode()).isZero();
                assertThat(busy.isAlive()).isTrue();
            }
        }
    }

    /** A terminal by script(1): what is typed reaches the watch without a line end. */
    @Test
    void inATerminalAKeyEndsTheWatch() throws Exception {
        Tool.require("script");
        try (Child busy = Child.start("sh", "-c", "echo begun; while :; do :; done")) {
            assertThat(busy.readLine()).isEqualTo("begun");
            Path berth = CliProcess.script(folder.resolve("berth.sh"));
            String line = "TERM=xterm bash " + ShellWord.quote(berth.toString()) + " watch " + busy.pid();
            Path typescript = folder.resolve("typescript");
            try (Child terminal = Child.start("script", "-qefc", line, typescript.toString())) {
                Await.until(
                        "the table",
                        () -> Files.exists(typescript)
                                && Files.readString(typescript).contains("q quits; order by c CPU"));
                terminal.send("q");
                Child.Result result = terminal.finish();
                assertThat(result.exitCode()).isZero();
            }
            String seen = Files.readString(typescript);
            assertThat(seen).contains("\u001b[?1049h").contains("\u001b[?1049l");
            assertThat(seen.substring(seen.lastIndexOf("\u001b[?1049l")))
                    .contains("sh (process " + busy.pid() + "), watched for ");
            assertThat(busy.isAlive()).isTrue();
        }
    }

    @Test
    void aGlobThatNoThreadMatchesIsTold() throws Exception {
        try (Child busy = Child.start("sh", "-c", "echo begun; while :; do :; done")) {
            assertThat(busy.readLine()).isEqualTo("begun");
            String pid = Long.toString(busy.pid());
            Child.Result result =
                    CliProcess.run(folder, "watch", "--no-live", "--duration", "0.2", "--threads", "nomatch*", pid);
            assertThat(result.exitCode()).isZero();
            assertThat(result.out())
                    .contains(": no thread has a name that may match --threads 'nomatch*'; 'berth watch " + pid + "'")
                    .hasLineCount(1);
        }
    }

    @Test
    void threadsOfAJvmHaveTheirCompleteNames() throws Exception {
        Path svg = folder.resolve("w.svg");
        try (Child jvm = ChildJvm.of(NamedThreadsSubject.class, "busy thread number one", "busy thread number two")
                .start()) {
            jvm.readUntil("ready");
            String[] words = {"watch", Long.toString(jvm.pid()), "--duration", "1", "--svg", svg.toString(), "--json"};
            Child.Result result = CliProcess.run(folder, words);
            assertThat(result.out())
                    .contains("\"name\" : \"busy thread number one\"")
                    .contains("\"name\" : \"busy thread number two\"");
            assertThat(result.err()).containsPattern("busy thread.*one ").containsPattern("busy thread.*two ");
            assertThat(svg).content().contains("busy thread number one").contains("busy thread number two");
        }
    }

    @Test
    void whyCompleteNamesAreMissingIsTold() throws Exception {
        try (Child jvm =
                ChildJvm.of(NamedThreadsSubject.class, "a thread").with("-Xrs").start()) {
            jvm.readUntil("ready");
            Child.Result result =
                    CliProcess.run(folder, "watch", Long.toString(jvm.pid()), "--duration", "0.5", "--json");
            assertThat(result.out()).contains("\"namesUnknown\" : \"the JVM does not handle SIGQUIT");
            assertThat(result.err()).contains("Names have the 15 bytes that the kernel keeps");
        }
    }

    @Test
    void aDurationEndsTheWatchButNotTheCommand() throws Exception {
        Child.Result result = CliProcess.run(
                folder,
                "watch",
                "--duration",
                "0.2",
                "--interval",
                "10",
                "--",
                "sh",
                "-c",
                "sleep 1; echo end; exit 5");

        assertThat(result.exitCode()).isEqualTo(5);
        assertThat(result.out()).isEqualTo("end\n");
        assertThat(result.err()).contains("watched for ");
    }

    @Test
    void aPictureThatCannotBeWrittenIsOneLine() throws Exception {
        Child.Result result = CliProcess.run(folder, "watch", "--svg", folder + "/none/w.svg", "--", "sh", "-c", BUSY);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).startsWith("berth: cannot write the picture ").hasLineCount(1);
    }

    private static Set<String> fields(Path json) throws IOException {
        Set<String> names = new HashSet<>();
        try (JsonParser parser = new JsonFactory().createParser(Files.readString(json))) {
            while (parser.nextToken() != null) {
                String name = parser.currentName();
                if (name != null) {
                    names.add(name);
                }
            }
        }
        return names;
    }
}
