package org.berth.yarn;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.binding.LiveProcess;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.binding.records.BindingRecords;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * Binds containers that run already: those of images without berth-exec, and those whose command must stay as it is. All
 * processes below the first, their threads, and the pages that they have.
 *
 * <p>The lease is held by a small process that checks every second whether the container's lives: neither the end of the
 * NodeManager nor its next start changes the leases. Where others may not see the lease, a second one moves the container away from
 * them.
 *
 * @param command what starts a process in a domain
 * @param ledger where the leases are
 */
record OutsideBinding(LaunchCommand command, Leases ledger) {
    private static final String HOLD = "while [ -d /proc/$0 ]; do sleep 1; done";
    private static final int MAX_ROUNDS = 100;

    /**
     * Takes a lease for a container and binds it.
     *
     * @return the lease in the ledger
     * @throws RuntimeException one line, when it cannot be had; the container runs unbound then
     */
    LeaseRecord bind(ContainerProcess container, String domain, String name) {
        boolean moves = ledger.unseen().isPresent();
        Process holder;
        try {
            holder = startHolder(container, domain, name);
        } catch (IOException e) {
            throw new IllegalStateException(FailureText.of(e), e);
        }
        try {
            LeaseRecord lease = leaseOf(holder);
            bindTree(container.pid(), lease);
            if (moves) {
                logMoves(holder, name);
            }
            return lease;
        } catch (IOException e) {
            holder.destroy();
            throw new IllegalStateException(FailureText.of(e), e);
        } catch (RuntimeException e) {
            // The process that was started here: a PID in the ledger is text that any user may write.
            holder.destroy();
            throw e;
        }
    }

    private Process startHolder(ContainerProcess container, String domain, String name) throws IOException {
        CpuSet own = container.cpus();
        CpuSet common = own.intersection(ContainerProcess.current().cpus());
        if (common.isEmpty()) {
            throw new IllegalStateException("it may use CPUs " + own + ", and the NodeManager none of them");
        }
        // First bound to what the container may use, so that it chooses a part of that.
        // A session of its own: what is sent to the NodeManager's group is not for it.
        List<String> watch = List.of("setsid", "sh", "-c", HOLD, Long.toString(container.pid()));
        List<String> words = LaunchWords.of(command.launcher())
                .withCpus(common)
                .before(command.words(domain, name, true)
                        .withFollowed(container.pid())
                        .before(watch));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(Redirect.from(new File("/dev/null")))
                .start();
    }

    /** What is printed after the domain: that the container has moved, and where. */
    private static void logMoves(Process holder, String name) {
        BufferedReader lines = holder.inputReader(StandardCharsets.UTF_8);
        Thread reader = new Thread(
                () -> {
                    try {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            AffinityListener.LOG.info("Berth: {}: {}", name, line.replaceFirst("^berth: ", ""));
                        }
                    } catch (IOException e) {
                        AffinityListener.LOG.debug("Berth: nothing more is heard of the moves of {}", name, e);
                    }
                },
                "berth-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private LeaseRecord leaseOf(Process holder) throws IOException {
        String said = firstLine(holder);
        return find(ledger, holder.pid())
                .orElseThrow(() -> new IllegalStateException(said.isEmpty() ? "no lease was written" : said));
    }

    /** It prints which domain it has, or why it has none, before it becomes the holder. */
    private static String firstLine(Process holder) throws IOException {
        var reader = holder.inputReader(StandardCharsets.UTF_8);
        String line = reader.readLine();
        return line == null ? "" : line.replaceFirst("^berth: ", "");
    }

    /** The lease of a process. Its name in the ledger proves nothing: any user may give a lease of his own that name. */
    static Optional<LeaseRecord> find(Leases ledger, long pid) {
        return ledger.list().stream().filter(lease -> lease.isHeldBy(pid)).findFirst();
    }

    /** Until every process was treated: one that starts later is started by one that was. */
    private static void bindTree(long first, LeaseRecord lease) {
        Set<Long> treated = new HashSet<>();
        boolean found = true;
        for (int round = 0; found && round < MAX_ROUNDS; round++) {
            found = false;
            for (long pid : tree(first)) {
                if (treated.add(pid)) {
                    found = true;
                    bindOne(pid, pid == first, lease);
                }
            }
        }
    }

    private static List<Long> tree(long first) {
        return ProcessHandle.of(first).stream()
                .flatMap(handle -> Stream.concat(Stream.of(handle), handle.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static void bindOne(long pid, boolean first, LeaseRecord lease) {
        try {
            LiveProcess process = LiveProcess.of(pid, BindingRecords.ofUser());
            CpuSet own = process.masks().values().stream().reduce(CpuSet.empty(), CpuSet::union);
            CpuSet cpus = lease.cpus().intersection(own);
            if (cpus.isEmpty()) {
                throw new IllegalStateException(
                        "its lease is for CPUs " + lease.cpus() + ", and it may use CPUs " + own);
            }
            process.bind(cpus, Map.of());
            NodeSet nodes = lease.memoryNodes();
            NodeSet others = process.topology().allowedNodeSet().minus(nodes);
            if (!nodes.isEmpty() && !others.isEmpty()) {
                process.movePages(others, nodes);
            }
        } catch (BindingException e) {
            // A child may have ended meanwhile.
            if (first || ProcessHandle.of(pid).isPresent()) {
                throw e;
            }
        }
    }
}
