package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real programs that count CPUs when they are used first: in a thread with a slot they count the same as in any other. */
@Tag("cluster")
@Timeout(300)
class ProgramSightTest {
    private static final String LIBRARY_FUNCTION = "int Java_org_berth_spark_ProgramSight_libraryThreads(void) ";

    @TempDir(factory = ExecutableFolder.class)
    Path folder;

    private String slot = "";

    @BeforeEach
    void needTwoCpus() {
        int[] cpus = Machine.requireCpus(2);
        slot = "" + cpus[cpus.length - 1];
    }

    private static List<String> lines(String classPath, String how, String... program) {
        String[] words = Stream.concat(Stream.of(how), Arrays.stream(program)).toArray(String[]::new);
        Child.Result result = Child.run(ChildJvm.of(ProgramSight.class, words)
                .classPath(classPath)
                .with("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .builder());
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out().lines().toList();
    }

    /** Returns what both see, for a test that knows the number. */
    private String seen(String... program) {
        return seenWith(System.getProperty("java.class.path"), program);
    }

    private String seenWith(String classPath, String... program) {
        List<String> free = lines(classPath, "free", program);
        assertThat(free).hasSize(2).element(1).isEqualTo("mask " + Machine.cpuList());
        assertThat(lines(classPath, "slot", program)).containsExactly(free.get(0), "mask " + slot);
        return free.get(0).substring("sees ".length());
    }

    private Path compiled(String name, String source, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".c"), source);
        Path result = folder.resolve(name);
        List<String> words = new ArrayList<>(List.of("gcc", "-o", result.toString(), file.toString()));
        words.addAll(List.of(options));
        Tool.requireSuccess(words.toArray(String[]::new));
        return result;
    }

    @Test
    void forkJoinPools() {
        seen("pools");
    }

    @Test
    void eventLoopsOfNetty() {
        seen("netty");
    }

    @Test
    void nproc() {
        Tool.require("nproc");
        assertThat(seen("command", "nproc")).isEqualTo("" + Machine.requireCpus(2).length);
    }

    @Test
    void aProgramWithOpenMp() throws IOException {
        Path program = compiled(
                "program",
                "#include <omp.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", omp_get_max_threads()); }",
                "-fopenmp");
        assertThat(seen("command", program.toString())).isEqualTo("" + Machine.requireCpus(2).length);
    }

    @Test
    void aLibraryWithOpenMp() throws IOException {
        Path library = compiled(
                "library.so",
                "#include <omp.h>\n" + LIBRARY_FUNCTION + "{ return omp_get_max_threads(); }",
                "-fopenmp",
                "-shared",
                "-fPIC");
        assertThat(seen("library", library.toString())).isEqualTo("" + Machine.requireCpus(2).length);
    }

    @Test
    void aLibraryWithOpenBlas() throws IOException {
        Path library = compiled(
                "library.so",
                "int openblas_get_num_threads(void);\n" + LIBRARY_FUNCTION + "{ return openblas_get_num_threads(); }",
                "-shared",
                "-fPIC",
                "-lopenblas");
        seen("library", library.toString());
    }

    @Test
    void aLibraryThatCannotBeLoadedLeavesTheThreadInItsSlot() throws IOException {
        Path library = Files.writeString(folder.resolve("broken.so"), "no library");
        assertThat(seen("broken-library", library.toString())).isEqualTo("an error");
    }

    /** BLAS starts a thread for each CPU but one. */
    @Test
    void numpy() throws IOException {
        Path script = Files.writeString(folder.resolve("count.py"), """
                import os, numpy
                numpy.linalg.inv(numpy.eye(200))
                print(len(os.sched_getaffinity(0)), "CPUs,", len(os.listdir("/proc/self/task")), "threads")
                """);
        String python = Stream.of("python3", "/usr/bin/python3")
                .filter(name -> Tool.find(name).isPresent() || Files.isExecutable(Path.of(name)))
                .filter(name -> Child.run(name, "-c", "import numpy").exitCode() == 0)
                .findFirst()
                .orElseGet(() -> Assumptions.abort("not installed: numpy for python3"));
        seen("command", python, script.toString());
    }

    /** To bring it: {@code mvn dependency:get -Dartifact=org.duckdb:duckdb_jdbc:1.4.4.0 -Dtransitive=false}. */
    @Test
    void duckDb() throws IOException {
        String classPath = System.getProperty("java.class.path");
        Path driver = Arrays.stream(classPath.split(":", -1))
                .filter(entry -> entry.contains("/org/apache/spark/"))
                .map(entry ->
                        Path.of(entry.substring(0, entry.indexOf("/org/apache/spark/")), "org/duckdb/duckdb_jdbc"))
                .filter(Files::isDirectory)
                .flatMap(ProgramSightTest::jars)
                .findFirst()
                .orElseGet(() -> Assumptions.abort("not in Maven's local repository: org.duckdb:duckdb_jdbc"));
        seenWith(classPath + ":" + driver, "duckdb");
    }

    private static Stream<Path> jars(Path home) {
        try (Stream<Path> files = Files.walk(home)) {
            return files
                    .filter(file -> file.getFileName().toString().matches("duckdb_jdbc-[0-9.]+\\.jar"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
