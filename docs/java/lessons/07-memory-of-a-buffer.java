import java.nio.ByteBuffer;
import java.util.Arrays;
import org.berth.binding.Binder;
import org.berth.binding.LocalMachine;
import org.berth.binding.MemoryPolicy;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/** Lesson 7: on which NUMA node are the pages of a buffer, and how do they get there? */
class MemoryOfABuffer {
    public static void main(String[] arguments) {
        LocalMachine machine = LocalMachine.open();
        Binder binder = machine.binder();
        NodeSet node = NodeSet.of(machine.topology().allowedNodeSet().first());
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        binder.bindRange(buffer, new MemoryPolicy(MemoryMode.BIND, node), true);
        for (int at = 0; at < buffer.capacity(); at += 4096) {
            buffer.put(at, (byte) 1);
        }
        buffer.put(buffer.capacity() - 1, (byte) 1);
        int[] nodes = binder.pageNodes(buffer);
        System.out.println(nodes.length + " pages, on nodes " + Arrays.toString(Arrays.stream(nodes).distinct().toArray()));
    }
}
