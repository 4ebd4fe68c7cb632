package org.berth.daemons;

import java.util.List;
import java.util.Map;
import org.berth.cli.Main;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/** A process that ended, with all that it printed. */
record Command(int exitCode, String out) {
    static Command run(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        Child.Result result = Child.run(ChildJvm.withEnvironment(builder, Map.of()));
        return new Command(result.exitCode(), result.out());
    }

    /** The command line of Berth, without the script that builds it. */
    static Command berth(String... arguments) {
        return run(ChildJvm.of(Main.class, arguments)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .command());
    }
}
