import org.berth.topology.CpuSet;

/** Lesson 3: sets of CPUs are immutable values; they may be infinite, like hwloc's. */
class Sets {
    public static void main(String[] arguments) {
        CpuSet low = CpuSet.parseList("0-3");
        CpuSet even = CpuSet.of(0, 2, 4);
        System.out.println(low.union(even));
        System.out.println(low.intersection(even));
        System.out.println(low.minus(even));
        System.out.println(low.complement());
        System.out.println(low.complement().isInfinite());
        System.out.println(CpuSet.parseMask("0xff").containsAll(even));
        System.out.println(even.toMaskString());
    }
}
