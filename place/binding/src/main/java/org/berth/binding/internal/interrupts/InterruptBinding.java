package org.berth.binding.internal.interrupts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Errno;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/**
 * Moves interrupts of devices to other CPUs and back. The previous CPUs are written to a file before anything is
 * changed, so that another process can restore them, but not after a reboot, which resets all interrupts.
 *
 * <p>Only root may move interrupts. Many cannot be moved at all: the kernel <em>manages</em> those of most multi-queue
 * disks, one for each queue, and answers EIO. irqbalance, if it runs, may undo a move at any time.
 *
 * <p><b>Thread safety</b>: none; only one process may use a record at a time.
 *
 * @see <a href="https://docs.kernel.org/core-api/irq/irq-affinity.html">SMP IRQ affinity</a>
 * @see <a href="https://docs.kernel.org/core-api/irq/managed_irq.html">Affinity managed interrupts</a>
 * @since 0.1.0
 */
public final class InterruptBinding {
    private static final String HINT_ROOT = "run it as root";

    private final Path root;
    private final InterruptRecord record;

    private InterruptBinding(Path record, Path root) {
        this.root = root;
        this.record = new InterruptRecord(record, root);
    }

    /**
     * An interrupt that was moved.
     *
     * @param number the kernel's number (IRQ)
     * @param action what the driver called it
     * @param before where it was allowed before the first move
     * @param to where it was moved last
     */
    public record Moved(int number, String action, CpuSet before, CpuSet to) {}

    /** Keeps its records in a file, whose directory must exist when something is moved. */
    public static InterruptBinding of(Path record) {
        return of(record, Path.of("/"));
    }

    /** Does the same as {@link #of(Path)} with another root for {@code proc/irq}. */
    public static InterruptBinding of(Path record, Path root) {
        return new InterruptBinding(record, root);
    }

    /**
     * Allows an interrupt on these CPUs alone; this takes effect at its next occurrence. Reads back what the kernel has
     * made of it.
     *
     * @param action what the driver calls it, by which it is known again
     * @param to by osIndex, at least one, online
     * @throws BindingException when it is not there, may not or cannot be moved, or the record cannot be written
     */
    public void move(int number, String action, CpuSet to) {
        CpuSet now = allowed(number);
        List<Moved> before = record.read();
        CpuSet first = before.stream()
                .filter(moved -> moved.number() == number && moved.action().equals(action))
                .map(Moved::before)
                .findFirst()
                .orElse(now);
        List<Moved> after = new ArrayList<>(before);
        after.removeIf(moved -> moved.number() == number);
        after.add(new Moved(number, action, first, to));
        record.write(after);
        try {
            write(number, to);
        } catch (BindingException refused) {
            record.write(before);
            throw refused;
        }
    }

    /** The interrupts that were moved and not restored since boot. */
    public List<Moved> moved() {
        return record.read();
    }

    /**
     * Restores the previous CPUs. One that another program has moved meanwhile, or whose number belongs to another
     * device now, is left alone; all are forgotten, except those that the kernel refuses.
     *
     * @return for each interrupt a line that says what became of it
     * @throws BindingException for the first that the kernel refuses, after all others are done
     */
    public List<String> restore() {
        List<String> lines = new ArrayList<>();
        List<Moved> refused = new ArrayList<>();
        Optional<BindingException> problem = Optional.empty();
        for (Moved moved : record.read()) {
            String name = "IRQ " + moved.number() + " " + moved.action() + ": ";
            try {
                CpuSet now = allowed(moved.number());
                if (now.equals(moved.to())) {
                    write(moved.number(), moved.before());
                    lines.add(name + "CPUs " + moved.before() + " again");
                } else {
                    lines.add(name + "left on CPUs " + now + ", where another program has put it");
                }
            } catch (BindingException refusal) {
                if (refusal.errno() == Errno.ENOENT) {
                    lines.add(name + "is no more");
                } else {
                    refused.add(moved);
                    problem = problem.isPresent() ? problem : Optional.of(refusal);
                }
            }
        }
        record.write(refused);
        if (problem.isPresent()) {
            throw problem.get();
        }
        return lines;
    }

    private CpuSet allowed(int number) {
        try {
            return CpuSet.parseList(Files.readString(file(number)).strip());
        } catch (IOException e) {
            throw failed("read", number, "", e);
        }
    }

    private void write(int number, CpuSet to) {
        String wish = "CPUs " + to;
        try (SeekableByteChannel channel =
                Files.newByteChannel(file(number), StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(ByteBuffer.wrap(to.toString().getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw failed("move", number, wish, e);
        }
        CpuSet now = allowed(number);
        if (!now.equals(to)) {
            throw BindingException.of(
                    FailureKind.REFUSED_BY_KERNEL,
                    "move",
                    "interrupt " + number,
                    wish,
                    "it reads back as " + now,
                    "see whether irqbalance or tuned moves it too");
        }
    }

    private Path file(int number) {
        return root.resolve("proc/irq/" + number + "/smp_affinity_list");
    }

    private static BindingException failed(String operation, int number, String wish, IOException e) {
        String target = "interrupt " + number;
        if (e instanceof NoSuchFileException) {
            return BindingException.ofErrno(
                    operation, target, wish, Errno.ENOENT, "see /proc/interrupts for those that exist");
        }
        if (e instanceof AccessDeniedException) {
            return BindingException.ofErrno(operation, target, wish, Errno.EACCES, HINT_ROOT);
        }
        String reason = e instanceof FileSystemException problem
                ? String.valueOf(problem.getReason())
                : String.valueOf(e.getMessage());
        return switch (reason) {
            case "Input/output error" ->
                BindingException.ofErrno(
                        operation,
                        target,
                        wish,
                        Errno.EIO,
                        "the kernel manages it (one for each queue, spread automatically), and no program can move it");
            case "Operation not permitted" -> BindingException.ofErrno(operation, target, wish, Errno.EPERM, HINT_ROOT);
            case "Invalid argument" ->
                BindingException.ofErrno(operation, target, wish, Errno.EINVAL, "choose CPUs that are online");
            case "No space left on device" ->
                BindingException.of(
                        FailureKind.REFUSED_BY_KERNEL,
                        operation,
                        target,
                        wish,
                        "the CPU has no interrupt vector left (ENOSPC)",
                        "choose another CPU");
            case "Read-only file system" ->
                BindingException.of(
                        FailureKind.NOT_ALLOWED,
                        operation,
                        target,
                        wish,
                        "/proc is read-only here (EROFS)",
                        "run it on the host, not in a container");
            default -> BindingException.of(FailureKind.REFUSED_BY_KERNEL, operation, target, reason, HINT_ROOT, e);
        };
    }
}
