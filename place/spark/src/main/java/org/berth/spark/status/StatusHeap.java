package org.berth.spark.status;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.observation.ObservationException;
import org.berth.observation.Reading;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.memory.HeapMemory;

/**
 * The heap of this JVM by node and page size, read within the limits of {@link PageWalk}. The JVM tells the addresses
 * of its heap without a safepoint, the same as to {@code jcmd PID GC.heap_info}. Not thread-safe.
 */
final class StatusHeap {
    private static final String TRANSPARENT = "UseTransparentHugePages";
    private static final String EXPLICIT = "UseLargePages";

    /** Reading the heap makes the JVM create its server of MBeans: 76 ms of CPU time, which a short job need not spend. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final long pid = ProcessHandle.current().pid();
    private final PageWalk walk;
    private HeapStatus last = HeapStatus.unknown("not read so far", "not read so far", "not read so far");

    StatusHeap() {
        this(PageWalk.after(FIRST_NANOS));
    }

    /** Uses other limits, for tests. */
    StatusHeap(PageWalk walk) {
        this.walk = walk;
    }

    /** The heap as of the last walk, or of a new one when it is due. */
    HeapStatus sample() {
        if (walk.isDue()) {
            last = read();
            walk.putOff();
        }
        return last;
    }

    private HeapStatus read() {
        String asked = asked();
        String kernel = kernel(HugePages.read(Path.of("/")), isOn("UseZGC"));
        try {
            Optional<String> refusal = walk.refusal();
            if (refusal.isPresent()) {
                return HeapStatus.unknown("no longer read: " + refusal.get(), asked, kernel);
            }
            String info = heapInfo();
            return walk.measure(() -> HeapMemory.of(pid, info))
                    .map(memory -> HeapStatus.known(memory, asked, kernel))
                    .orElseGet(() ->
                            HeapStatus.unknown("this JVM does not expose the addresses of its heap", asked, kernel));
        } catch (IOException | JMException | ObservationException e) {
            return HeapStatus.unknown(FailureText.of(e), asked, kernel);
        }
    }

    private static String heapInfo() throws JMException {
        return String.valueOf(ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcHeapInfo",
                        new Object[0],
                        new String[0]));
    }

    /** HotSpot switches an option off that the kernel cannot serve, and goes on with ordinary pages. */
    private static String asked() {
        if (isOn(TRANSPARENT)) {
            return "-XX:+" + TRANSPARENT;
        }
        if (isOn(EXPLICIT)) {
            return "-XX:+" + EXPLICIT;
        }
        for (String option : new String[] {"-XX:+" + TRANSPARENT, "-XX:+" + EXPLICIT}) {
            if (ManagementFactory.getRuntimeMXBean().getInputArguments().contains(option)) {
                return option + ", which the JVM switched off";
            }
        }
        return "no huge pages";
    }

    /** What decides whether this heap gets transparent huge pages: that of ZGC is shared memory. */
    static String kernel(HugePages pages, boolean shared) {
        Reading<String> mode = shared ? pages.shared() : pages.transparent();
        String of = shared ? " for shared memory (ZGC)" : "";
        return mode.fold(
                        word -> word + (shared ? "," + of : ""),
                        absent -> "this kernel has none" + of,
                        refusal -> "not known: " + refusal)
                + pages.defrag()
                        .value()
                        .filter(word -> mode.value().isPresent())
                        .map(word -> ", defrag " + word)
                        .orElse("");
    }

    /** An option that this JVM does not have is off. */
    private static boolean isOn(String option) {
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return options != null
                    && Boolean.parseBoolean(options.getVMOption(option).getValue());
        } catch (IllegalArgumentException notThere) {
            return false;
        }
    }
}
