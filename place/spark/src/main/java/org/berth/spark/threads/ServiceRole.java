package org.berth.spark.threads;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.observation.internal.jvm.VmThreads;
import org.berth.text.Words;

/**
 * The purpose of an executor's thread that runs no task, by its name. The names are those of Spark 4.0 to 4.2 (Netty threads
 * are "module-kind-M-N") and of HotSpot in JDK 17 to 25.
 */
enum ServiceRole {
    /** Sends blocks to other executors. */
    SHUFFLE_SERVER(Kind.NETWORK, "shuffle-server-", "shuffle-boss-", "shuffle-chunk-fetch-handler-"),
    /** Fetches blocks; started by the first task that needs one. */
    SHUFFLE_CLIENT(Kind.NETWORK, "shuffle-client-"),
    /** Messages to and from the driver, and files from it. */
    RPC(Kind.NETWORK, "rpc-", "netty-rpc-", "files-"),
    /** Pushes blocks of a shuffle to the external shuffle services. */
    BLOCK_PUSH(Kind.NETWORK, "shuffle-block-push-thread"),
    /** Delivers messages to their receivers; starts the threads of tasks, which inherit its mask. */
    DISPATCHER(Kind.STARTER, "dispatcher-"),
    /** Storage: replication, removal, asynchronous requests. */
    BLOCK_MANAGER(Kind.OTHER, "block-manager-"),
    /** Heartbeats and the metrics in them. */
    HEARTBEAT(Kind.OTHER, "executor-heartbeater", "driver-heartbeater", "executor-metrics-poller"),
    /** Threads that a task started and that inherited its slot: those of libraries and of the job's own pools. */
    OTHER(Kind.STARTER),
    /** The JVM's collector. */
    GC(Kind.JVM, VmThreads.collectors()),
    /** The JVM's compilers. */
    JIT(Kind.JVM, VmThreads.compilers());

    private enum Kind {
        NETWORK,
        STARTER,
        OTHER,
        JVM
    }

    private static final String TASK = "Executor task ";

    private final Kind kind;
    private final Pattern beginning;

    ServiceRole(Kind kind, String... beginnings) {
        this(kind, List.of(beginnings));
    }

    ServiceRole(Kind kind, List<String> beginnings) {
        this.kind = kind;
        // The lookahead keeps a role without beginnings from matching every name.
        this.beginning = Pattern.compile(
                beginnings.stream().map(Pattern::quote).collect(Collectors.joining("|", "(?:", ")(?!^)")));
    }

    /** The word in settings, as in {@code spark.berth.threads.shuffle-server}. */
    String word() {
        return Words.of(this);
    }

    /** Whether its threads handle the data of the network card. */
    boolean usesNetwork() {
        return kind == Kind.NETWORK;
    }

    /** Whether its threads are the JVM's own, which Java cannot see. */
    boolean isOfJvm() {
        return kind == Kind.JVM;
    }

    /** Whether its threads start others, which inherit the mask, or may be of any kind. */
    boolean needsAllOfTheDomain() {
        return kind == Kind.STARTER || kind == Kind.JVM;
    }

    /** The role of a Java thread with that complete name. */
    static Optional<ServiceRole> ofJava(String name) {
        return find(name, false);
    }

    /** The role of a thread of the JVM with that name in the kernel (15 characters). */
    static Optional<ServiceRole> ofNative(String comm) {
        return find(comm, true);
    }

    /** Whether a Java thread runs tasks or waits for one, and is bound by {@code TaskBinder}. */
    static boolean isTask(String name) {
        return name.startsWith(TASK);
    }

    private static Optional<ServiceRole> find(String name, boolean ofJvm) {
        for (ServiceRole role : values()) {
            if (role.isOfJvm() == ofJvm && role.beginning.matcher(name).lookingAt()) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
