package org.berth.cli.conf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.text.Words;

/**
 * Settings with which YARN gives containers the parts of a host: as containers of a part's size, or as MapReduce tasks
 * that fill the parts. Pure, immutable and safe for use by several threads.
 *
 * @param yarnSite properties of yarn-site.xml, in order
 * @param mapredSite properties of mapred-site.xml, in order
 * @param notes what the user should know in addition, one line each
 */
record YarnShape(Map<String, String> yarnSite, Map<String, String> mapredSite, List<String> notes) {
    /** Hadoop's own part of a container that is heap: the default of mapreduce.job.heap.memory-mb.ratio is 0.8. */
    private static final int HEAP_FIFTHS = 4;

    /** A MapReduce task keeps 100 MB for its sort by default (mapreduce.task.io.sort.mb) and has to run next to it. */
    private static final long LEAST_HEAP_MEBIBYTES = 200;

    /** The defaults of yarn.app.mapreduce.am.resource.mb and of its heap. */
    private static final long MASTER_MEBIBYTES = 1536;

    private static final long MASTER_HEAP_MEBIBYTES = 1024;

    /**
     * Returns the settings.
     *
     * @param tasks MapReduce tasks that run in a part at once; empty for one on each CPU
     * @param memory where the pages of a container go
     * @param launcher path of berth-exec on the hosts
     * @throws IllegalArgumentException one line, when memory is unknown, or too small for the tasks, or smaller than
     * the containers
     */
    static YarnShape of(HostShape shape, Division into, OptionalInt tasks, MemoryMode memory, String launcher) {
        List<ShapePart> parts = shape.parts();
        // YARN has one size of containers for all hosts: what the smallest part has.
        ShapePart least = parts.stream()
                .min(Comparator.comparingLong(ShapePart::heapBytes))
                .orElseThrow();
        int slots = tasks.orElseGet(
                () -> parts.stream().mapToInt(part -> part.cpus().size()).min().orElseThrow());
        long heap = (least.heapBytes() >> 20) / slots;
        if (least.heapBytes() == 0 && least.memoryBytes() == 0) {
            throw new IllegalArgumentException(
                    "the memory of this host is not known: give the heap of all JVMs by --heap");
        }
        if (heap < LEAST_HEAP_MEBIBYTES) {
            throw new IllegalArgumentException("each of " + slots + " tasks in a part would have a heap of " + heap
                    + " MiB, and needs " + LEAST_HEAP_MEBIBYTES + ": give fewer by --tasks, or more heap by --heap");
        }
        long task = (heap * (HEAP_FIFTHS + 1) + HEAP_FIFTHS - 1) / HEAP_FIFTHS;
        long part = task * slots;
        long room = least.memoryBytes() >> 20;
        if (least.memoryBytes() > 0 && part > room) {
            throw new IllegalArgumentException("containers are a quarter larger than their heap, and " + part
                    + " MiB do not fit into the " + room + " MiB of a part: give at most --heap 80%");
        }
        Map<String, String> yarn = new LinkedHashMap<>();
        yarn.put("yarn.nodemanager.resource.cpu-vcores", number((long) slots * parts.size()));
        yarn.put("yarn.nodemanager.resource.memory-mb", number(part * parts.size()));
        yarn.put("yarn.scheduler.minimum-allocation-mb", number(task));
        yarn.put("yarn.scheduler.maximum-allocation-mb", number(part));
        yarn.put("yarn.scheduler.maximum-allocation-vcores", number(slots));
        yarn.put("yarn.nodemanager.container-state-transition-listener.classes", "org.berth.yarn.AffinityListener");
        yarn.put("berth.yarn.launcher", launcher);
        yarn.put("berth.yarn.domain", shape.domain(into));
        yarn.put("berth.yarn.memory", memory.word());
        long master = Math.min((MASTER_MEBIBYTES + task - 1) / task * task, part);
        Map<String, String> mapred = new LinkedHashMap<>();
        for (String kind : List.of("map", "reduce")) {
            mapred.put("mapreduce." + kind + ".cpu.vcores", "1");
            mapred.put("mapreduce." + kind + ".memory.mb", number(task));
            mapred.put("mapreduce." + kind + ".java.opts", "-Xmx" + heap + "m");
        }
        mapred.put("yarn.app.mapreduce.am.resource.mb", number(master));
        mapred.put(
                "yarn.app.mapreduce.am.command-opts",
                "-Xmx" + Math.min(MASTER_HEAP_MEBIBYTES, master * HEAP_FIFTHS / (HEAP_FIFTHS + 1)) + "m");
        return new YarnShape(yarn, mapred, notes(shape, into, slots, least));
    }

    private static List<String> notes(HostShape shape, Division into, int slots, ShapePart least) {
        int parts = shape.parts().size();
        List<String> notes = new ArrayList<>();
        String each = switch (into.kind()) {
            case L3 -> "an L3 cache";
            case NUMA -> "a memory node";
            case PACKAGE -> "a package";
            case COUNT -> "1/" + parts + " of the host";
        };
        notes.add("a host has room for " + Words.count(parts, "container") + " of the size of " + each
                + ", each with " + slots + " vcores and a heap of up to " + least.heapWord() + ", or for "
                + parts * slots
                + " tasks of MapReduce, " + slots + " in each part");
        notes.addAll(shape.notes());
        notes.add("the properties yarn.scheduler.* are those of the ResourceManager");
        notes.add("the capacity scheduler counts vcores only with yarn.scheduler.capacity.resource-calculator="
                + "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        return notes;
    }

    private static String number(long value) {
        return Long.toString(value);
    }

    /** The properties of both files as XML, with notes as comments. */
    String toText() {
        HadoopXml text = new HadoopXml();
        notes.forEach(text::comment);
        text.comment("yarn-site.xml");
        yarnSite.forEach(text::property);
        text.comment("mapred-site.xml");
        mapredSite.forEach(text::property);
        return text.toString();
    }
}
