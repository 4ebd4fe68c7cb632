package org.berth.numavm;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.topology.Topology;

/**
 * What is checked in the guest, in one JVM. The arguments are the path of libberth.so and {@link Part}s to check, where
 * {@code birth} and {@code live} take collectors, as in {@code birth:UseG1GC,own}; without any, those of the machine's number
 * of nodes. With the word {@code again} in place of parts only that is checked which a JVM of another version may do in another
 * way.
 */
public final class GuestChecks {
    /** The last one is the JVM's own choice. */
    private static final List<String> COLLECTORS = List.of("UseSerialGC", "UseParallelGC", "UseG1GC", "UseZGC", "");

    /** The number of nodes of the guest in which everything is checked; in the others, what depends on the number of nodes. */
    private static final int WHOLE = 2;

    /** What can be asked for by its name in small letters. */
    private enum Part {
        TOPOLOGY,
        MEMORY,
        BIRTH,
        HEAP,
        RULES,
        LIVE,
        CPUSET,
        DEVICES,
        LEASES,
        CACHES,
        SPLIT,
        MEMORYNODE,
        MATRIX,
        INTERRUPTS,
        POLICY,
        COMPARE,
        RDMA
    }

    /** Those that do not need the second node. */
    private static final Set<Part> EVERYWHERE =
            EnumSet.of(Part.TOPOLOGY, Part.MEMORY, Part.BIRTH, Part.LIVE, Part.DEVICES, Part.LEASES, Part.MATRIX);

    private static final Set<Part> AGAIN =
            EnumSet.of(Part.TOPOLOGY, Part.MEMORY, Part.BIRTH, Part.HEAP, Part.RULES, Part.LIVE, Part.CPUSET);

    private final Checks checks = new Checks("[JDK " + Runtime.version().feature() + "] ");
    private final LocalMachine machine = LocalMachine.open();
    private final Path library;

    /** Before a release, or where parts are asked for, takes more minutes. */
    private final boolean thorough;

    private GuestChecks(Path library, boolean thorough) {
        this.library = library;
        this.thorough = thorough;
    }

    /** Prints a line for each check; the exit code is 0 when all hold. */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments).subList(1, arguments.length);
        GuestChecks guest =
                new GuestChecks(Path.of(arguments[0]), !words.isEmpty() || Boolean.getBoolean("berth.guest.thorough"));
        boolean whole = guest.machine.topology().nodeSet().size() == WHOLE;
        Set<Part> parts = EnumSet.noneOf(Part.class);
        boolean again = words.equals(List.of("again"));
        if (words.isEmpty() || again) {
            parts.addAll(whole ? EnumSet.allOf(Part.class) : EVERYWHERE);
            parts.retainAll(again ? AGAIN : parts);
            if (MemoryNodeChecks.fits(guest.machine.topology())) {
                parts.clear();
                parts.add(Part.MEMORYNODE);
            } else {
                parts.remove(Part.MEMORYNODE);
            }
            if (!SplitChecks.isAmongCaches(guest.machine.topology())) {
                parts.remove(Part.SPLIT);
            }
        }
        System.out.println("guest: " + guest.machine.topology());
        parts.forEach(part -> guest.run(part, whole ? COLLECTORS : List.of("")));
        if (parts.isEmpty()) {
            words.forEach(guest::run);
        }
        System.exit(guest.checks.finish());
    }

    /** One that was asked for; {@code own} is the JVM's own choice of a collector. */
    private void run(String word) {
        String[] asked = word.split(":", 2);
        List<String> collectors = asked.length == 1
                ? COLLECTORS
                : Stream.of(asked[1].split(",", -1))
                        .map(name -> name.equals("own") ? "" : name)
                        .toList();
        run(Part.valueOf(asked[0].toUpperCase(Locale.ROOT)), collectors);
    }

    private void run(Part part, List<String> collectors) {
        Topology topology = machine.topology();
        Binder binder = machine.binder();
        switch (part) {
            case TOPOLOGY -> TopologyChecks.run(checks, topology);
            case MEMORY -> MemoryChecks.run(checks, topology, binder);
            case BIRTH -> BirthChecks.run(checks, topology, library, collectors);
            case HEAP -> {
                HeapChecks.run(checks, topology, library, thorough);
                WeightedChecks.run(checks, topology, library);
            }
            case RULES -> RuleChecks.run(checks, topology, library);
            case LIVE -> {
                List<String> named =
                        collectors.stream().filter(name -> !name.isEmpty()).toList();
                LiveChecks.run(checks, topology, named.isEmpty() ? List.of("UseSerialGC") : named);
            }
            case CPUSET -> CpusetChecks.run(checks, topology, library);
            case DEVICES -> DeviceChecks.run(checks, topology, binder);
            case LEASES -> SharingChecks.run(checks, topology, library);
            case CACHES -> CacheChecks.run(checks, topology, library);
            case SPLIT -> SplitChecks.run(checks, topology);
            case MEMORYNODE -> MemoryNodeChecks.run(checks, topology, library);
            case MATRIX -> MatrixChecks.run(checks, topology);
            case INTERRUPTS -> InterruptChecks.run(checks, topology);
            case POLICY -> PolicyChecks.run(checks, topology, binder);
            case COMPARE -> CompareChecks.run(checks, topology);
            case RDMA -> RdmaTransportChecks.runShort(checks, topology);
        }
    }
}
