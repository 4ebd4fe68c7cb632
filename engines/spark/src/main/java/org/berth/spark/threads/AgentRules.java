package org.berth.spark.threads;

import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which roles the agent of this JVM has rules for: those are its own, and two hands on one thread would undo each other.
 * The agent gives a thread its place when it starts, and gives it again when the cpuset changes.
 */
final class AgentRules {
    private AgentRules() {}

    /** Reads the options that this JVM was started with, JAVA_TOOL_OPTIONS among them. */
    static Set<ServiceRole> roles() {
        return roles(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    static Set<ServiceRole> roles(List<String> jvmOptions) {
        Set<ServiceRole> roles = EnumSet.noneOf(ServiceRole.class);
        for (String option : jvmOptions) {
            int equals = option.indexOf('=');
            if (option.startsWith("-agentpath:")
                    && equals > 0
                    && option.substring(0, equals).contains("libberth")) {
                for (String word : option.substring(equals + 1).split(",", -1)) {
                    add(word, roles);
                }
            }
        }
        return roles;
    }

    private static void add(String word, Set<ServiceRole> roles) {
        if (word.startsWith("gc=") || word.startsWith("rule=@gc")) {
            roles.add(ServiceRole.GC);
        } else if (word.startsWith("jit=") || word.startsWith("rule=@jit")) {
            roles.add(ServiceRole.JIT);
        } else if (word.startsWith("rule=") || word.startsWith("rules=") || word.startsWith("preset=")) {
            for (ServiceRole role : ServiceRole.values()) {
                if (!role.isOfJvm()) {
                    roles.add(role);
                }
            }
        }
    }
}
