import java.nio.ByteBuffer;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.MemoryPolicy;
import org.berth.binding.MemoryRange;
import org.berth.binding.NativeMemory;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/** Lesson 8: a buffer whose pages are on a chosen node from their first touch on. */
class ABufferOnANode {
    public static void main(String[] arguments) {
        LocalMachine machine = LocalMachine.open();
        Binder binder = machine.binder();
        NodeSet node = NodeSet.of(machine.topology().allowedNodeSet().first());
        try (NativeMemory memory = binder.allocate(1 << 20, new MemoryPolicy(MemoryMode.BIND, node))) {
            ByteBuffer buffer = memory.buffer();
            MemoryRange range = memory.range(); // MemoryRange.of takes other direct buffers, ofSegment a MemorySegment of Java 22
            System.out.println("new: pages on nodes " + binder.rangeNodes(range)); // no thread has written to it yet
            for (int at = 0; at < buffer.capacity(); at += 4096) {
                buffer.put(at, (byte) 1);
            }
            System.out.println("written: pages on nodes " + binder.rangeNodes(range));
            System.out.println("policy: " + binder.rangePolicy(range));
        } // close() gives the pages back; do not use the buffer any more
    }
}
