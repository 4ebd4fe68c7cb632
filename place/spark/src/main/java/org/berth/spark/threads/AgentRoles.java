package org.berth.spark.threads;

import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The roles for which the agent of this JVM has rules. They are left to it, since two binders of one thread would undo each
 * other's work: the agent binds a thread when it starts, and again when the cpuset changes.
 */
final class AgentRoles {
    private AgentRoles() {}

    /** Reads the options that this JVM was started with, including JAVA_TOOL_OPTIONS. */
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
