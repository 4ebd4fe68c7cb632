package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.SharedLibrary;

/**
 * A service binds its privileged port and then gives up root inside the JVM. The C library tells every thread by a signal
 * and waits for all of them: the agent's thread has to answer, too. See nptl(7).
 */
class IdentityChangeTest {
    @ParameterizedTest
    @ValueSource(strings = {"", ",guard=off,gc=process", ",gc=process"})
    void aBoundJvmCanChangeItsUserAndGroup(String options) {
        int cpu = LocalMachine.open().topology().allowedCpuSet().first();
        Child.Result result = JavaProcess.of(Change.class)
                .option("-agentpath:" + NativeLibrary.file() + "=strict,cpus=" + cpu + options)
                .jvm()
                .run();
        assertThat(result.output().lines()).as(result.err()).containsExactly("watched true", "0 0");
    }

    /** The same program without the agent: what the other test shows is due to Berth alone. */
    @Test
    void anUnboundJvmCanDoSoAnyway() {
        assertThat(JavaProcess.of(Change.class).run().lines()).containsExactly("watched false", "0 0");
    }

    /** Gives itself the user and the group that it has, which root is not needed for. */
    static final class Change {
        private Change() {}

        public static void main(String[] args) {
            long pid = ProcessHandle.current().pid();
            System.out.println("watched "
                    + ProcStatus.threads(pid).stream()
                            .anyMatch(thread -> thread.name().equals("berth-watch")));
            // Sets up LWJGL also where the folder of temporary files may not hold its library.
            LocalMachine.open();
            SharedLibrary libc = Library.loadNative(Change.class, "org.berth", "libc.so.6");
            int group = call(libc, "setgid", call(libc, "getgid", 0));
            int user = call(libc, "setuid", call(libc, "getuid", 0));
            System.out.println(group + " " + user);
        }

        private static int call(SharedLibrary libc, String function, int argument) {
            return JNI.invokeI(argument, libc.getFunctionAddress(function));
        }
    }
}
