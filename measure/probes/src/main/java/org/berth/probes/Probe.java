package org.berth.probes;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.berth.binding.Binder;
import org.berth.binding.BoundScope;
import org.berth.binding.errors.BindingException;

/**
 * One thread for each place, bound there, of which one at a time moves a message; in turn, each round in the other
 * direction, so that a disturbance or a drift meets all places alike. Belongs to one thread. */
public final class Probe implements AutoCloseable {
    private static final double MEGABYTE = 1 << 20;

    private final List<Seat> seats = new ArrayList<>();
    private final Binder binder;
    private final int sizeBytes;

    private Probe(Binder binder, int sizeBytes) {
        this.binder = binder;
        this.sizeBytes = sizeBytes;
    }

    /** A place with its thread, which opened the rest of it. */
    private record Seat(ProbePlace place, ExecutorService thread, BoundScope bound, Transfer transfer) {}

    /**
     * Binds the threads and opens a transfer on each; one message is moved at each place, which does not count.
     *
     * @param name of the threads, before the name of the place: "probe-disk" gives "probe-disk-DS"
     * @param sizeBytes of each message
     * @throws IOException when a transfer cannot be opened
     * @throws BindingException when a place is not allowed or the kernel refuses
     */
    public static Probe open(
            Binder binder, String name, List<ProbePlace> places, int sizeBytes, Transfer.Opening opening)
            throws IOException, InterruptedException {
        Probe probe = new Probe(binder, sizeBytes);
        try {
            for (ProbePlace place : places) {
                probe.add(name, place, opening);
            }
            for (Seat seat : probe.seats) {
                probe.move(seat, 0);
            }
            return probe;
        } catch (IOException | InterruptedException | RuntimeException e) {
            probe.close();
            throw e;
        }
    }

    private void add(String name, ProbePlace place, Transfer.Opening opening) throws IOException, InterruptedException {
        ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, name + "-" + place.name());
            made.setDaemon(true);
            return made;
        });
        try {
            seats.add(on(thread, () -> {
                BoundScope bound = binder.bindThread(place.cpus());
                try {
                    return new Seat(place, thread, bound, opening.open());
                } catch (IOException | RuntimeException e) {
                    bound.close();
                    throw e;
                }
            }));
        } catch (IOException | InterruptedException | RuntimeException e) {
            thread.shutdown();
            throw e;
        }
    }

    /**
     * Moves a message at each place, {@code rounds} times.
     *
     * @return by rounds, in the order in which they were taken
     */
    public List<ProbeSample> run(int rounds) throws IOException, InterruptedException {
        List<ProbeSample> samples = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (int i = 0; i < seats.size(); i++) {
                samples.add(move(seats.get(round % 2 == 1 ? i : seats.size() - 1 - i), round));
            }
        }
        return samples;
    }

    private ProbeSample move(Seat seat, int round) throws IOException, InterruptedException {
        return on(seat.thread, () -> {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long cpuNanos = threads.getCurrentThreadCpuTime();
            long begin = System.nanoTime();
            seat.transfer.move();
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new ProbeSample(
                    seat.place.name(),
                    round,
                    seconds,
                    sizeBytes / MEGABYTE / seconds,
                    (threads.getCurrentThreadCpuTime() - cpuNanos) / 1e9,
                    binder.currentCpu());
        });
    }

    private static <T> T on(ExecutorService thread, Callable<T> work) throws IOException, InterruptedException {
        try {
            return thread.submit(work).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            if (e.getCause() instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Closes the transfers, restores the former CPUs of the threads, and ends them. */
    @Override
    public void close() throws IOException {
        try {
            for (Seat seat : seats) {
                on(seat.thread, () -> {
                    try {
                        seat.transfer.close();
                    } finally {
                        seat.bound.close();
                    }
                    return "";
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            seats.forEach(seat -> seat.thread.shutdown());
            seats.clear();
        }
    }
}
