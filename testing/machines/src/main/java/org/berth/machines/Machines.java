package org.berth.machines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Machines that tests run on without owning them. The recorded ones come from hwloc's test-suite (BSD licence, see
 * {@code HWLOC-COPYING} next to the data); the literature ones are synthetic descriptions of the machines that
 * published affinity studies used; servers are the layouts of L3 caches of today.
 */
public final class Machines {
    private static final Map<String, ExpectedCounts> RECORDED = readExpected();
    private static final List<String> LITERATURE = List.of("2x8x2", "2x12x8", "2x10x8", "4x10x2");

    private static final List<String> SERVERS = List.of(
            "x3d",
            "graviton3",
            "graviton-no-l3",
            "epyc7002-nps1",
            "epyc7002-nps4",
            "grace",
            "epyc9004-nps1",
            "epyc9004-nps4",
            "xeon-snc4",
            "epyc7003-nps1",
            "epyc7003-nps4");

    private static final List<String> FORMAT_3 =
            List.of("20em64t-hybrid-1p6c2t+2ca4co1t", "32em64t-2n8c+1mic", "fakeheteromemtiers");

    private Machines() {}

    /** The recorded machines, smallest first. */
    public static List<String> names() {
        return List.copyOf(RECORDED.keySet());
    }

    /**
     * The machines of the literature, named packages x cores of a package x PUs of a core. Each package has one
     * NUMA node, except that 2x12x8 has two in each. Machines with 2 PUs a core number the second PUs of all cores
     * after the first ones, as Linux does on x86; those with 8 number them core by core, as on POWER.
     */
    public static List<String> literature() {
        return LITERATURE;
    }

    /**
     * Synthetic descriptions, smallest first, of servers (and of one desktop, x3d) that differ in how L3 caches and NUMA
     * nodes lie: one or two packages with 1 (nps1) or 4 (nps4) nodes each and several L3 caches, of 4 cores each in
     * epyc7002 and of 8 in epyc7003 and epyc9004; one L3 cache over 4 nodes (xeon-snc4); one L3 cache for all cores of a
     * package (graviton3, grace); none (graviton-no-l3); caches of 96 and 32 MiB (x3d).
     */
    public static List<String> servers() {
        return SERVERS;
    }

    /** All recorded machines and those of the literature. */
    public static List<String> all() {
        return Stream.concat(names().stream(), LITERATURE.stream()).toList();
    }

    /** hwloc XML, as {@code lstopo --of xml} 2.9 writes it, of a recorded, a literature or a server machine. */
    public static String xml(String name) {
        String folder = LITERATURE.contains(name) ? "literature/" : SERVERS.contains(name) ? "servers/" : "xml/";
        return text(folder + name + ".xml");
    }

    /** The recorded machines that are there in hwloc's XML format 3.0 as well. */
    public static List<String> format3() {
        return FORMAT_3;
    }

    /** XML of a recorded machine as hwloc 3.0 (a pre-release of it) writes it, without instruction caches. */
    public static String format3Xml(String name) {
        return text("format3/" + name + ".xml");
    }

    /** What lstopo counts on a recorded machine. */
    public static ExpectedCounts expected(String name) {
        ExpectedCounts expected = RECORDED.get(name);
        if (expected == null) {
            throw new IllegalArgumentException("no recorded machine " + name + "; there are " + names());
        }
        return expected;
    }

    /**
     * Unpacks the {@code /sys} and {@code /proc} tree of a recorded machine into a temporary folder that is deleted
     * when the JVM ends.
     *
     * @return the folder to give to hwloc as {@code HWLOC_FSROOT} (together with {@code HWLOC_COMPONENTS=linux,stop})
     */
    public static Path tree(String name) {
        expected(name);
        try (InputStream archive = open("linux/" + name + ".tar.bz2")) {
            return MachineTree.unpack(archive);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack the tree of " + name, e);
        }
    }

    /**
     * Lines of a machine's name, some of its CPUs and the memory nodes that these belong to, from nodeN/cpulist of the recorded machines.
     * The unit tests in C read the same lines.
     */
    public static List<List<String>> nodesOf() {
        return lines("nodes-of.tsv");
    }

    /**
     * Lines of a machine's name, its CPUs that may be used, a kind of part (package, numa, l3) and the parts of that kind by their CPUs,
     * in the order of the lowest one; "none" where the machine names no such part. The unit tests in C read the same lines.
     */
    public static List<List<String>> domains() {
        return lines("domains.tsv");
    }

    private static List<List<String>> lines(String table) {
        return text(table)
                .lines()
                .skip(1)
                .map(line -> List.of(line.split("\t", -1)))
                .toList();
    }

    private static Map<String, ExpectedCounts> readExpected() {
        List<String> lines = text("expected.tsv").lines().toList();
        if (!lines.get(0).equals(ExpectedCounts.HEADER)) {
            throw new IllegalStateException("unknown columns in expected.tsv: " + lines.get(0));
        }
        Map<String, ExpectedCounts> machines = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            ExpectedCounts expected = ExpectedCounts.parse(line);
            machines.put(expected.machine(), expected);
        }
        return machines;
    }

    private static String text(String resource) {
        try (InputStream in = open(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }

    private static InputStream open(String resource) {
        InputStream in = Machines.class.getResourceAsStream(resource);
        if (in == null) {
            throw new IllegalArgumentException("no machine file " + resource);
        }
        return in;
    }
}
