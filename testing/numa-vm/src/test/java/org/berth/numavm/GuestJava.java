package org.berth.numavm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.Main;
import org.berth.oracle.Child;

/** Programs in JVMs of their own, of the kind that the tests run in, with their class path. */
public final class GuestJava {
    /** What these JVMs compile is not worth the second compiler under TCG. */
    public static final List<String> LEAN = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private GuestJava() {}

    /** The beginning of a command: the JVM and its class path. */
    public static List<String> command() {
        List<String> command = new ArrayList<>(List.of(java()));
        // What 'check' archived of the classes, by which a program starts in half the time.
        String archive = System.getProperty("berth.guest.archive", "");
        if (!archive.isEmpty()) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        if (Runtime.version().feature() >= 25) {
            // Under TCG the parallel relocation of the archive spins for seconds.
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTCacheParallelRelocation"));
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    /** The JVM's program. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The command {@code berth} as users start it. */
    public static List<String> berthCommand(List<String> words) {
        List<String> command = command();
        command.addAll(LEAN);
        command.add(Main.class.getName());
        command.addAll(words);
        return command;
    }

    /** Runs {@code berth}; gives all that it prints. */
    public static String berth(int exitCode, String... words) {
        System.out.println("running: berth " + String.join(" ", words));
        ProcessBuilder builder = new ProcessBuilder(berthCommand(List.of(words))).redirectErrorStream(true);
        Child.Result result = Child.run(builder);
        assertThat(result.exitCode())
                .as("exit code of berth " + List.of(words) + " that said " + result.out())
                .isEqualTo(exitCode);
        return result.out();
    }
}
