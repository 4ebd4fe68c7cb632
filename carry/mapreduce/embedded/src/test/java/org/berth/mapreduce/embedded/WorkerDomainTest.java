package org.berth.mapreduce.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.api.Assumptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.leases.Leases;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.PlantedStat;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients in JVMs of their own on one host; the kernel says where their workers are. */
@Timeout(240)
class WorkerDomainTest {
    private static final String MOVED = "processes that do not see the lease of these worker threads use CPUs";

    @TempDir
    private Path folder;

    @Test
    void theWorkersOfTwoClientsHaveDifferentCores() throws Exception {
        requireTwoCores();
        try (Child one = client("core");
                Child other = client("core")) {
            Set<Integer> first = workers(one);
            Set<Integer> second = workers(other);
            assertThat(first).isNotEmpty().doesNotContainAnyElementsOf(second);
            assertThat(second).isNotEmpty();
        }
    }

    /** What 'berth run' gives the client is held exclusively by its own process. */
    @Test
    void workersStayInTheDomainOfTheirClient() throws Exception {
        requireTwoCores();
        List<String> words = LaunchWords.of(NativeLibrary.launcher())
                .withDomain(DomainRequest.of("core:1").withSelect("exclusive"))
                .words();
        try (Child client = jvm("pu").under(words).start()) {
            Set<Integer> workers = workers(client);
            assertThat(KernelList.numbers(ProcStatus.of(client.pid()).cpus())).containsAll(workers);
            assertThat(Leases.at(folder.resolve("leases")).list())
                    .singleElement()
                    .matches(lease -> lease.isHeldBy(client.pid()));
        }
    }

    @Test
    void workersMoveAwayFromThoseThatDoNotSeeTheirLease() throws Exception {
        Machine.requireRoot();
        Tool.requireSuccess("unshare", "-m", "true");
        int[] cpus = Machine.requireCpus(2);
        Path stat = folder.resolve("stat");
        try (PlantedStat planted = PlantedStat.start(stat, Machine.cpus())) {
            planted.use(Set.of(cpus[1]));
            ChildJvm jvm = jvm("pu").under(PlantedStat.withoutOthersLeases(stat, cpus[0], cpus[1]));
            requireTwoCores();
            try (Child client = Child.start(jvm.builder())) {
                assertThat(workers(client)).containsExactly(cpus[0]);
                planted.use(Set.of(cpus[0]));
                Await.until("the other CPU", () -> workers(client).equals(Set.of(cpus[1])));
                Await.until("a line", () -> client.errors().contains(MOVED));
            }
        }
    }

    private static void requireTwoCores() throws IOException {
        Set<String> cores = new HashSet<>();
        for (int cpu : Machine.cpus()) {
            cores.add(
                    Files.readString(Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list")));
        }
        Assumptions.assumeThat(cores).as("cores").hasSizeGreaterThan(1);
    }

    private ChildJvm jvm(String level) {
        return ChildJvm.of(Client.class, level)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .environment("BERTH_LEASES", folder.resolve("leases").toString());
    }

    private Child client(String level) {
        return jvm(level).start();
    }

    /** The CPUs of all workers together, once each has worked. */
    private static Set<Integer> workers(Child client) {
        Set<Integer> cpus = new TreeSet<>();
        Await.until("a worker of " + client.pid(), () -> {
            cpus.clear();
            ProcStatus.masks(client.pid(), name -> name.startsWith("berth-worker-"))
                    .values()
                    .forEach(mask -> cpus.addAll(KernelList.numbers(mask)));
            return !cpus.isEmpty() && cpus.size() < Machine.cpus().size();
        });
        return cpus;
    }

    /** A client with one worker, which waits after its first work. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws Exception {
            Configuration conf = new Configuration(false);
            conf.set(EngineSettings.LEVEL, arguments[0]);
            conf.set(EngineSettings.THREADS, "1");
            conf.set(EngineSettings.GUARD, "off");
            CountDownLatch worked = new CountDownLatch(1);
            WorkerPool.of(EngineSettings.of(conf)).submit(worker -> worked.countDown());
            worked.await();
            System.out.println("worked");
            System.in.read();
        }
    }
}
