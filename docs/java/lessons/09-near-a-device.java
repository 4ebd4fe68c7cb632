import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.topology.DeviceLocality;
import org.berth.topology.Distances;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;

/** Lesson 9: which CPUs and memory are near a device (by name, bus id or path), and how far apart are NUMA nodes? */
class NearADevice {
    public static void main(String[] arguments) throws Exception {
        Topology machine = TopologyXml.parse(Files.readString(Path.of(arguments[0])));
        TopologyObject device = machine.device(arguments[1]).orElseThrow();
        DeviceLocality near = machine.locality(device);
        System.out.println(arguments[1] + " is near CPUs " + near.cpus() + " and memory nodes " + near.nodes());
        List<Distances> latencies = machine.distances(ObjectType.NUMA_NODE);
        if (!latencies.isEmpty()) {
            List<TopologyObject> nodes = machine.objects(ObjectType.NUMA_NODE);
            System.out.println("from node " + nodes.get(0).osIndex() + " to node " + nodes.get(1).osIndex() + ": "
                    + latencies.get(0).value(nodes.get(0), nodes.get(1)));
        }
        int kinds = machine.memoryTiers().size();
        System.out.println(kinds + (kinds == 1 ? " kind" : " kinds") + " of memory");
    }
}
