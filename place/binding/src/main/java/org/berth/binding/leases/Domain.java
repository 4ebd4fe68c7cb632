package org.berth.binding.leases;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.berth.text.ForeignText;
import org.berth.topology.CpuSet;

/**
 * A part of this host that a process asks for: {@code Domain.cores(4).exclusive().named("executor 3")}. Which one it gets is found
 * by the leases of the host. Immutable and thread-safe; each method returns a changed copy.
 *
 * @since 0.1.0
 */
public final class Domain {
    private static final int MOST_CORES = 9_999;

    /** LEASE_NAME_SIZE of lease_record.h, without the end. */
    private static final int LONGEST_NAME_BYTES = 63;

    private final String kind;
    private final boolean exclusive;
    private final OptionalInt number;
    private final String name;

    private Domain(String kind, boolean exclusive, OptionalInt number, String name) {
        this.kind = kind;
        this.exclusive = exclusive;
        this.number = number;
        this.name = name;
    }

    private static Domain of(String kind) {
        return new Domain(kind, false, OptionalInt.empty(), "");
    }

    /** The CPUs near one memory node, and that memory. */
    public static Domain numaNode() {
        return of("numa");
    }

    /** One package (socket). */
    public static Domain processorPackage() {
        return of("package");
    }

    /** The CPUs that share one L3 cache. */
    public static Domain l3Cache() {
        return of("l3");
    }

    /**
     * This number of cores: of one memory node if one has that number, else of one package, else of any.
     *
     * @throws IllegalArgumentException when it is not between 1 and 9999
     */
    public static Domain cores(int count) {
        if (count < 1 || count > MOST_CORES) {
            throw new IllegalArgumentException(count + " cores: give a number from 1 to " + MOST_CORES);
        }
        return of("core:" + count);
    }

    /**
     * These CPUs; those that this process may not use are left out.
     *
     * @param cpus kernel numbers
     * @throws IllegalArgumentException when there is none, or no end of them
     */
    public static Domain cpus(CpuSet cpus) {
        if (cpus.isEmpty() || cpus.isInfinite()) {
            throw new IllegalArgumentException("CPUs " + cpus + ": name some");
        }
        return of("cpus:" + cpus);
    }

    /** The same, if no other process has any of its CPUs; no other process gets them afterwards. */
    public Domain exclusive() {
        return new Domain(kind, true, number, name);
    }

    /**
     * The same, the one of this number, in the order of the lowest CPU, even if other processes use it.
     *
     * @throws IllegalArgumentException when it is below 0
     */
    public Domain number(int index) {
        if (index < 0) {
            throw new IllegalArgumentException("domain " + index + ": numbers start at 0");
        }
        return new Domain(kind, exclusive, OptionalInt.of(index), name);
    }

    /**
     * The same; {@code berth leases} shows the name of the process.
     *
     * @throws IllegalArgumentException when it has more than 63 bytes in UTF-8, or a control character
     */
    public Domain named(String newName) {
        if (newName.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME_BYTES
                || newName.codePoints().anyMatch(ForeignText::isObeyed)) {
            throw new IllegalArgumentException(
                    "name '" + newName.substring(0, Math.min(newName.length(), LONGEST_NAME_BYTES)) + "': give at most "
                            + LONGEST_NAME_BYTES + " bytes, and no control character");
        }
        return new Domain(kind, exclusive, number, newName);
    }

    /** The word of the agent and of the command: "core:4". */
    String kind() {
        return kind;
    }

    boolean isExclusive() {
        return exclusive;
    }

    /** -1 for the one that is used least. */
    int number() {
        return number.orElse(-1);
    }

    String name() {
        return name;
    }

    /** "core:4, exclusive, named executor 3". */
    @Override
    public String toString() {
        return kind
                + (exclusive ? ", exclusive" : "")
                + (number.isPresent() ? ", number " + number.getAsInt() : "")
                + (name.isEmpty() ? "" : ", named " + name);
    }
}
