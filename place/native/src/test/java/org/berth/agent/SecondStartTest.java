package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JVM is bound in place where the second start would not repeat the first one. */
@Timeout(120)
final class SecondStartTest {
    /** Listens on the abstract address of its option, as profilers do on a port; a second listener is refused. */
    private static final String LISTENER = """
            #include <stddef.h>
            #include <string.h>
            #include <sys/socket.h>
            #include <sys/un.h>

            int Agent_OnLoad(void *vm, char *options, void *reserved) {
                struct sockaddr_un address = {.sun_family = AF_UNIX};
                strncpy(address.sun_path + 1, options, sizeof address.sun_path - 2);
                int file = socket(AF_UNIX, SOCK_STREAM, 0);
                return bind(file, (struct sockaddr *)&address, sizeof address) < 0 || listen(file, 1) < 0;
            }
            """;

    /** Removes the file of its option. */
    private static final String REMOVER = """
            #include <unistd.h>

            int Agent_OnLoad(void *vm, char *options, void *reserved) {
                unlink(options);
                return 0;
            }
            """;

    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    private final int cpu;

    SecondStartTest() throws IOException {
        cpu = Machine.requireCpus(2)[0];
    }

    private static List<Jdk> jdks() {
        return Jdk.all();
    }

    private String agent(String name, String source) throws IOException {
        Path library = folder.resolve(name);
        Path text = Files.writeString(folder.resolve(name + ".c"), source);
        Tool.output(Tool.require("cc", "gcc").toString(), "-shared", "-fPIC", "-o", "" + library, "" + text);
        return "-agentpath:" + library;
    }

    private void assertBoundInPlace(Jvm jvm, String reason) throws IOException {
        jvm.ready();
        assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(String.valueOf(cpu));
        assertThat(jvm.messages()).singleElement().asString().contains("bound in place", reason);
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anAgentThatListensAlreadyIsNotStartedTwice(Jdk jdk) throws Exception {
        String listener = agent("liblistener.so", LISTENER) + "=" + folder.getFileName();
        String ours = "cpus=" + cpu + ",strict";
        String reason = "liblistener.so stands before it and has run already; put Berth's agent first";
        try (Jvm jvm = JvmCommand.of(jdk).with(listener).withAgent(ours).start()) {
            assertBoundInPlace(jvm, reason);
        }
        try (Jvm jvm = JvmCommand.of(jdk)
                .environment("JAVA_TOOL_OPTIONS", listener)
                .withAgent(ours)
                .start()) {
            assertBoundInPlace(jvm, reason);
        }
        try (Jvm jvm = JvmCommand.of(jdk).withAgent(ours).with(listener).start()) {
            assertThat(jvm.ready()).contains("processors=1 ");
            assertThat(jvm.errorText()).isEmpty();
        }
    }

    /** The debugger listens when the JVM has started. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aDebuggerInFrontIsNoObstacle(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .with("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0")
                .withAgent("cpus=" + cpu + ",strict")
                .start()) {
            assertThat(jvm.ready()).contains("collectors=Copy,MarkSweepCompact");
            assertThat(jvm.errorText()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anArgumentFileThatIsGoneIsNotReadTwice(Jdk jdk) throws Exception {
        Path file = Files.writeString(folder.resolve("arguments"), "-XX:-UsePerfData");
        // Named like ours, so that it counts as no agent in front.
        String remover = agent("berth-remover.so", REMOVER) + "=" + file;
        try (Jvm jvm = JvmCommand.of(jdk)
                .with(remover, "@" + file)
                .withAgent("cpus=" + cpu + ",strict")
                .start()) {
            assertBoundInPlace(jvm, "the argument '@" + file + "' can be read only once");
            assertThat(file).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aPipeInQuotesIsNotReadTwice(Jdk jdk) throws Exception {
        Path pipe = folder.resolve("a pipe");
        Tool.output("mkfifo", pipe.toString());
        try (Child writer = Child.start("sh", "-c", "echo -XX:-UsePerfData >\"$0\"", pipe.toString());
                Jvm jvm = JvmCommand.of(jdk)
                        .environment("JDK_JAVA_OPTIONS", "@\"" + pipe + "\"")
                        .withAgent("cpus=" + cpu + ",strict")
                        .start()) {
            assertBoundInPlace(jvm, "'@" + pipe + "' in JDK_JAVA_OPTIONS can be read only once");
            assertThat(writer.exitCode()).isZero();
        }
    }
}
