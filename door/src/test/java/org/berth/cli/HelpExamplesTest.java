package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every example of every help text, run by a shell as it stands, in a folder with the files that it names. */
@Tag("one-jdk")
@Tag("long")
@Timeout(240)
final class HelpExamplesTest {
    /** Examples that are parsed only, by their beginning, with the reason. */
    private static final Map<String, String> PARSED = Map.of(
            "berth bench ", "a job takes minutes, and has to be built",
            "berth study ", "a study takes hours, and its jobs have to be built",
            "berth mapreduce ", "Hadoop's libraries have to be fetched",
            "berth tune --into 1,2,4 ", "Spark has to be there",
            "berth irq --spread", "it moves the interrupts of this machine",
            "berth irq --restore", "it moves the interrupts of this machine",
            "berth probe --server ", "it serves until it is stopped",
            "berth probe --peer ", "it needs another host");

    /** Warnings about this machine are no failure of the example. */
    private static final String DOCTOR = "berth doctor";

    @TempDir(factory = ExecutableFolder.class)
    private static Path folder;

    @BeforeAll
    static void prepare() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        executable(CliProcess.script(programs.resolve("berth")));
        executable(Files.writeString(programs.resolve("ssh"), "#!/bin/sh\nshift\nexec \"$@\"\n"));
        for (String jar : List.of("app.jar", "job.jar", "server.jar", "worker.jar")) {
            writeJar(folder.resolve(jar));
        }
        for (String script : List.of("server.sh", "load-test.sh")) {
            executable(Files.writeString(folder.resolve(script), "#!/bin/sh\necho p99 7\n"));
        }
    }

    private static void executable(Path file) {
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static void writeJar(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, ExampleSubject.class.getName());
        String name = ExampleSubject.class.getName().replace('.', '/') + ".class";
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest);
                InputStream program = Objects.requireNonNull(ClassLoader.getSystemResourceAsStream(name), name)) {
            jar.putNextEntry(new JarEntry(name));
            program.transferTo(jar);
        }
    }

    /** The examples of a command: lines of its footer that a shell can run. */
    static List<String> examples(CommandLine command) {
        return Stream.of(command.getCommandSpec().usageMessage().footer())
                .flatMap(line -> String.format(Locale.ROOT, line).lines())
                .filter(line -> line.matches("(berth|ssh) .*"))
                .toList();
    }

    /** All commands, with those of a group. */
    static Stream<CommandLine> commands() {
        return Main.commandLine().getSubcommands().values().stream().flatMap(HelpExamplesTest::withOwn);
    }

    private static Stream<CommandLine> withOwn(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpExamplesTest::withOwn));
    }

    static Stream<Arguments> examples() {
        return Stream.concat(
                        FirstSteps.STEPS.stream().map(FirstSteps.Step::example),
                        commands().flatMap(command -> examples(command).stream()))
                .distinct()
                .map(example -> Arguments.of(example, parsedOnly(example)));
    }

    /** Why an example is parsed only; empty for one that runs. */
    private static String parsedOnly(String example) {
        boolean changesNothing = example.equals("berth bench") || example.equals("berth irq --spread --dry-run");
        return PARSED.entrySet().stream()
                .filter(entry -> !changesNothing && example.startsWith(entry.getKey()))
                .findFirst()
                .map(entry -> "parsed only: " + entry.getValue())
                .orElse("");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("examples")
    void everyExampleWorksAsItStands(String example, String parsedOnly) throws Exception {
        if (parsedOnly.isEmpty()) {
            run(example);
        } else {
            parse(example);
        }
    }

    private static void parse(String example) {
        Child.Result words = shell("berth() { printf '%s\\n' \"$@\"; }; " + example, Map.of());
        assertThatCode(() -> Main.commandLine().parseArgs(words.out().lines().toArray(String[]::new)))
                .doesNotThrowAnyException();
    }

    private static void run(String example) throws Exception {
        Machine.requireCpus(2);
        String here = example.replaceFirst("-N 0 -m 0", "-N +0 -m +0")
                .replaceFirst("^berth compare (--runs \\d+ )?", "berth compare --runs 1 ")
                .replaceFirst("^berth tune (?!.*--dry-run)", "berth tune --dry-run ");
        try (LiveSubject subject = LiveSubject.sleep(List.of())) {
            if (here.startsWith("berth unbind")) {
                assertThat(CommandLines.run("bind", "--domain", "numa", subject.pidWord())
                                .exitCode())
                        .isZero();
            }
            Child.Result result = shell(here.replace("PID", subject.pidWord()), environment());
            assertThat(result.exitCode())
                    .as(result.out() + result.err())
                    .isIn(example.startsWith(DOCTOR) ? List.of(0, 1) : List.of(0));
            assertThat(result.err()).doesNotContain("internal error").doesNotContain("Exception");
        }
    }

    private static Map<String, String> environment() {
        String java = ChildJvm.JAVA.resolveSibling("").toString();
        return Map.of("PATH", folder.resolve("bin") + ":" + java + ":" + System.getenv("PATH"));
    }

    private static Child.Result shell(String line, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "cd \"$1\" && eval \"$2\"", "bash"));
        command.addAll(List.of(folder.toString(), line));
        return CommandLines.start(command, environment);
    }
}
