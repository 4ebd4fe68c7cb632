package org.berth.numavm.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.binding.Binder;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.observation.internal.devices.Interrupt;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.oracle.Await;
import org.berth.topology.CpuSet;

/** The guest's NIC, switched on, and a connection to an echo beyond it, so that packets really come in. */
public final class GuestNic implements AutoCloseable {
    public static final String NAME = "eth0";
    private static final Path ROOT = Path.of("/");
    /** What QEMU's network answers at this address is what it was sent (guestfwd in the script 'guest'). */
    private static final InetSocketAddress ECHO = new InetSocketAddress("10.0.2.100", 7);

    private final Path record;
    private final SocketChannel echo;
    private final Binder binder;

    public GuestNic(Binder binder) throws IOException, InterruptedException {
        this.binder = binder;
        Process up = new ProcessBuilder("/bin/busybox", "ifconfig", NAME, "10.0.2.15", "netmask", "255.255.255.0", "up")
                .inheritIO()
                .start();
        assertThat(up.waitFor()).as("exit code of ifconfig").isEqualTo(0);
        record = Files.createTempDirectory("nic").resolve("record");
        echo = SocketChannel.open(ECHO);
    }

    /** Sends its interrupts to a CPU; returns when they come there, as the kernel says. */
    public void interruptAt(int cpu) throws IOException, InterruptedException {
        Interrupt interrupt = InterruptMap.read(ROOT)
                .device(NAME)
                .orElseThrow()
                .dataInterrupts()
                .get(0);
        InterruptBinding.of(record).move(interrupt.number(), interrupt.action(), CpuSet.of(cpu));
        Path effective = Path.of("/proc/irq/" + interrupt.number() + "/effective_affinity_list");
        // A move takes effect with the next interrupt.
        Await.until("the NIC's interrupt at CPU " + cpu, () -> {
            receive();
            return Files.readString(effective).strip().equals(Integer.toString(cpu));
        });
        receive();
    }

    /** The CPU that handled the last packet of the connection; -1 when the kernel does not tell. */
    public int incomingCpu() {
        return binder.incomingCpu(echo).orElse(-1);
    }

    /** Sends a byte, and waits for its echo. */
    public void receive() throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        echo.write(one);
        one.clear();
        assertThat(echo.read(one)).as("bytes of the echo").isEqualTo(1);
    }

    /** The interrupts go back to where they were. */
    @Override
    public void close() throws IOException {
        echo.close();
        InterruptBinding.of(record).restore();
    }
}
