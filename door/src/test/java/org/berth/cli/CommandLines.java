package org.berth.cli;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.berth.cli.shared.Terminal;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/** Runs {@code berth}, in this JVM or in one of its own. */
public final class CommandLines {
    private CommandLines() {}

    public static Child.Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = Terminal.of(new PrintWriter(out), new PrintWriter(err), 80, true);
        int exitCode = terminal.finish(Main.run(terminal, args));
        return new Child.Result(exitCode, out.toString(), err.toString());
    }

    /** A JVM of its own, as users start it; the words before the JVM may be taskset or env. */
    public static Child.Result fork(List<String> before, Map<String, String> environment, String... args) {
        List<String> command = ChildJvm.of(Main.class, args)
                .under(before)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
                .command();
        return start(command, environment);
    }

    public static Child.Result start(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("COLUMNS"));
        builder.environment().put("LANG", "C.UTF-8");
        return Child.run(ChildJvm.withEnvironment(builder, environment));
    }
}
