package org.berth.agent;

import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/** How a JVM with the {@link AgentSubject} is started. */
record JvmCommand(ChildJvm jvm) {
    static JvmCommand of(Jdk jdk) {
        return new JvmCommand(ChildJvm.of(AgentSubject.class).java(Path.of(jdk.tool("java"))));
    }

    JvmCommand under(String... command) {
        return new JvmCommand(jvm.under(command));
    }

    JvmCommand with(String... more) {
        return new JvmCommand(jvm.with(more));
    }

    JvmCommand withAgent(String agentOptions) {
        return with(Built.agent(agentOptions));
    }

    JvmCommand environment(String name, String value) {
        return new JvmCommand(jvm.environment(name, value));
    }

    Jvm start() {
        return start(jvm.with("-XX:TieredStopAtLevel=1").command());
    }

    /** The class path and main class, for a command line that is put together otherwise. */
    List<String> program() {
        List<String> command = jvm.with("-XX:TieredStopAtLevel=1").command();
        return command.subList(command.indexOf("-XX:TieredStopAtLevel=1"), command.size());
    }

    /** Starts another command in the same environment. */
    Jvm start(List<String> command) {
        return new Jvm(Child.start(ChildJvm.withEnvironment(new ProcessBuilder(command), jvm.environment())));
    }
}
