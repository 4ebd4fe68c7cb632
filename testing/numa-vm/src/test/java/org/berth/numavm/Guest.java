package org.berth.numavm;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** The machine that the tests run on, read once for all of them, and what {@code check} told them. */
public final class Guest {
    /** The tag of every test that must not run on a host. */
    public static final String TAG = "guest";

    /** The JVM's own choice, in a list of collectors. */
    public static final String OWN = "own";

    private static final LocalMachine MACHINE = LocalMachine.open();

    private Guest() {}

    /** What Berth knows of the machine. */
    public static Topology topology() {
        return MACHINE.topology();
    }

    /** Binds threads and memory of this JVM. */
    public static Binder binder() {
        return MACHINE.binder();
    }

    /** The agent, libberth.so. */
    public static Path library() {
        return Path.of(System.getProperty("berth.guest.library", "/tests/libberth.so"));
    }

    /** Whether every collector is asked for, which takes minutes: before a release, and where parts are named. */
    public static boolean isThorough() {
        return Boolean.getBoolean("berth.guest.thorough");
    }

    /** The collectors that {@code check} was told for a part, as in {@code birth:UseG1GC,own}; else the usual ones. */
    public static List<String> collectors(String part, List<String> usual) {
        String told = System.getProperty("berth.guest.collectors." + part, "");
        return told.isEmpty() ? usual : Stream.of(told.split(",", -1)).toList();
    }

    /** The option of the JVM that chooses a collector; none for {@link #OWN}. */
    public static List<String> collectorOption(String collector) {
        return collector.equals(OWN) ? List.of() : List.of("-XX:+" + collector);
    }

    /** Whether a node has several L3 caches. */
    public static boolean hasCachesInNodes() {
        return topology().count(ObjectType.L3_CACHE) > topology().nodeSet().size();
    }
}
