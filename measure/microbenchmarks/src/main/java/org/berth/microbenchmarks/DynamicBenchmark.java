package org.berth.microbenchmarks;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.discovery.Discovery;
import org.berth.observation.internal.load.CpuTimes;
import org.berth.observation.internal.load.LoadHistory;
import org.berth.observation.internal.load.LoadSettings;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.DynamicState;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What a thread that is placed by interrupts and load waits for, and what watching the load takes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DynamicBenchmark {
    private final Topology topology = Discovery.synthetic(Workload.MACHINE_256);
    private final DynamicPlacement placement = DynamicPlacement.of(
            topology,
            DynamicPolicy.INTERRUPT,
            InterruptReference.ofCpus(CpuSet.of(0)),
            InterruptReference.ofCpus(CpuSet.of(100)));
    private final LoadSnapshot idle = LoadSnapshot.of(1, topology.cpuSet(), CpuSet.empty());
    /**
     * The case in which only the other memory node has idle cores: all near cores are examined, then 32 equal ones
     * compared.
     */
    private final LoadSnapshot farIdle = LoadSnapshot.of(1, topology.cpuSet(), CpuSet.range(0, 191));

    private final LoadSnapshot busy = LoadSnapshot.of(1, topology.cpuSet(), topology.cpuSet());
    private final DynamicState state = DynamicState.start();

    private final RandomAccessFile stat;
    private final byte[] buffer = new byte[1 << 16];
    private LoadHistory history = LoadHistory.empty(LoadSettings.defaults());

    private static final int SAMPLES = 64;
    private static final int TICKS = 10;
    private final byte[][] large = statOf(256);
    private LoadHistory largeHistory = LoadHistory.empty(LoadSettings.defaults());
    private int next;
    private final Binder binder = LocalMachine.open().binder();
    private final ServerSocketChannel server;
    private final SocketChannel client;
    private final SocketChannel connection;

    public DynamicBenchmark() {
        try {
            stat = new RandomAccessFile("/proc/stat", "r");
            server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(server.getLocalAddress());
            connection = server.accept();
            client.write(ByteBuffer.allocate(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What /proc/stat shows every 100 ms of a machine that has been up for a month, every CPU with another load. */
    private static byte[][] statOf(int cpus) {
        byte[][] texts = new byte[SAMPLES][];
        long[] busy = new long[cpus];
        for (int sample = 0; sample < SAMPLES; sample++) {
            StringBuilder text = new StringBuilder("cpu  0 0 0 0 0 0 0 0 0 0\n");
            for (int cpu = 0; cpu < cpus; cpu++) {
                long up = 260_000_000L + (long) sample * TICKS;
                busy[cpu] += (cpu + sample) % (TICKS + 1);
                long user = 41_000_000L + cpu * 1000L + busy[cpu];
                text.append(String.format(
                        "cpu%d %d 5214 9183204 %d 81274 0 391245 0 0 0%n", cpu, user, up - user - 9_183_204));
            }
            text.append("intr 9182736450").append(" 0".repeat(cpus * 8)).append("\nctxt 91827364500\n");
            texts[sample] = text.toString().getBytes(StandardCharsets.US_ASCII);
        }
        return texts;
    }

    @TearDown
    public void close() throws IOException {
        stat.close();
        connection.close();
        client.close();
        server.close();
    }

    /** What a thread that serves a connection asks besides, to know whose interrupts are its own. */
    @Benchmark
    public OptionalInt incomingCpuBerth() {
        return binder.incomingCpu(connection);
    }

    @Benchmark
    public Decision decideAllIdleBerth() {
        return placement.decide(idle, state);
    }

    @Benchmark
    public Decision decideFarIdleBerth() {
        return placement.decide(farIdle, state);
    }

    @Benchmark
    public Decision decideAllBusyBerth() {
        return placement.decide(busy, state);
    }

    /** What LoadMonitor does every 100 ms on this machine. */
    @Benchmark
    public LoadSnapshot loadSampleBerth() throws IOException {
        stat.seek(0);
        int length = stat.read(buffer);
        history = history.with(CpuTimes.parse(buffer, length));
        return history.snapshot();
    }

    /** The same for 256 CPUs, without what the kernel takes to write it. */
    @Benchmark
    public LoadSnapshot loadSample256Berth() {
        byte[] text = large[Math.floorMod(next++, SAMPLES)];
        largeHistory = largeHistory.with(CpuTimes.parse(text, text.length));
        return largeHistory.snapshot();
    }
}
