package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.berth.oracle.Child;
import org.berth.setup.UseAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program of somebody else's that is a module: it may use the API, and the compiler keeps it out of internal packages. */
class ModulesTest {
    @TempDir
    private Path folder;

    @Test
    void aModuleUsesTheApi() throws IOException {
        assertThat(compile("""
                        System.out.println(org.berth.binding.LocalMachine.open()
                                .topology().objects(org.berth.topology.type.ObjectType.PU).isEmpty());
                        System.out.println(org.berth.placement.PlacementRequest.of(
                                org.berth.placement.AffinityLevel.CORE, 2, 4).equals(null));
                        """)).isEmpty();
        String lines = JavaProcess.of(UseAll.class)
                .option("--module-path=" + Modules.path() + ":" + folder.resolve("classes"))
                .option("--add-modules=org.berth.binding")
                .option("--module=outside/outside.Program")
                .run();
        assertThat(lines.lines()).containsExactly("false", "false");
    }

    /** An image has no class path, so it has the native library only if the modules say that they need it. */
    @Test
    void anImageOfJlinkBinds() throws IOException {
        assertThat(compile("""
                        org.berth.binding.LocalMachine machine = org.berth.binding.LocalMachine.open();
                        org.berth.topology.CpuSet cpu = machine.topology().allowedCores().get(0);
                        try (org.berth.binding.BoundScope bound = machine.binder().bindThread(cpu)) {
                            System.out.println(machine.binder().threadCpus().equals(cpu));
                        }
                        """)).doesNotContain("compiler.err");
        Path image = folder.resolve("image");
        StringWriter said = new StringWriter();
        try (PrintWriter out = new PrintWriter(said)) {
            int code = ToolProvider.findFirst("jlink")
                    .orElseThrow()
                    .run(
                            out,
                            out,
                            "--module-path=" + Modules.path() + ":" + folder.resolve("classes"),
                            "--add-modules=outside",
                            "--output=" + image);
            assertThat(code).as(said.toString()).isZero();
        }
        assertThat(Child.run(image.resolve("bin/java").toString(), "--module=outside/outside.Program")
                        .output())
                .isEqualTo("true");
        assertThat(Child.run(image.resolve("bin/java").toString(), "--list-modules")
                        .output()
                        .lines()
                        .filter(line -> line.startsWith("org.berth")))
                .hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.berth.text.Bytes",
                "org.berth.topology.internal.bits.Bitmap",
                "org.berth.topology.internal.xml.XmlElements",
                "org.berth.observation.internal.PublicFiles",
                "org.berth.observation.internal.kernel.HugePages",
                "org.berth.placement.internal.parts.CpuChoice",
                "org.berth.binding.internal.NativeBridge",
                "org.berth.binding.internal.launch.AgentOptions"
            })
    void whatIsInternalIsNotVisible(String type) throws IOException, ClassNotFoundException {
        assertThat(Class.forName(type, false, getClass().getClassLoader())).isNotNull();
        assertThat(compile(type + " use;"))
                .contains("compiler.err.package.not.visible: " + type.substring(0, type.lastIndexOf('.')))
                .contains("compiler.misc.not.def.access.not.exported");
    }

    /** What the compiler says of a module with these statements. */
    private String compile(String statements) throws IOException {
        Path module = Files.writeString(
                folder.resolve("module-info.java"),
                "module outside { requires org.berth.binding; requires org.berth.text; }");
        Path program = Files.writeString(
                folder.resolve("Program.java"),
                "package outside; public class Program { public static void main(String[] none) {" + statements
                        + "} }");
        StringWriter said = new StringWriter();
        try (PrintWriter out = new PrintWriter(said)) {
            ToolProvider.findFirst("javac")
                    .orElseThrow()
                    .run(
                            out,
                            out,
                            "-Xlint:all,-path",
                            "-XDrawDiagnostics",
                            "--class-path=" + folder,
                            "--module-path=" + Modules.path(),
                            "-d",
                            folder.resolve("classes").toString(),
                            module.toString(),
                            program.toString());
        }
        return said.toString();
    }
}
