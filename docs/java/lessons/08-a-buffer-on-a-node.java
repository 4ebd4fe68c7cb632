import java.nio.ByteBuffer;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.MemoryRange;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/** Lesson 8: a buffer whose pages are on a chosen node from their first touch on. */
class ABufferOnANode {
    public static void main(String[] arguments) {
        LocalMachine machine = LocalMachine.open();
        Binder binder = machine.binder();
        NodeSet node = NodeSet.of(machine.topology().allowedNodeSet().first());
        ByteBuffer buffer = binder.allocate(1 << 20, new MemoryPolicy(MemoryMode.BIND, node));
        // On Java 22 and newer, MemoryRange.ofSegment takes a MemorySegment as well.
        MemoryRange range = MemoryRange.of(buffer);
        System.out.println("new: pages on nodes " + binder.rangeNodes(range)); // no thread has written to it yet
        for (int at = 0; at < buffer.capacity(); at += 4096) {
            buffer.put(at, (byte) 1);
        }
        System.out.println("written: pages on nodes " + binder.rangeNodes(range));
        System.out.println("policy: " + binder.rangePolicy(range));
    }
}
