import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;

/** Lesson 2: any machine whose XML you have (lstopo --of xml machine.xml), without native code. */
class AnotherMachine {
    public static void main(String[] arguments) throws Exception {
        try (InputStream xml = Files.newInputStream(Path.of(arguments[0]))) {
            Topology machine = TopologyXml.parse(xml);
            System.out.println("PUs " + machine.count(ObjectType.PU));
            for (TopologyObject node : machine.objects(ObjectType.NUMA_NODE)) {
                System.out.println("node " + node.osIndex() + ": CPUs " + node.cpuSet());
            }
            // Which PUs share a cache with the first one?
            TopologyObject first = machine.objects(ObjectType.PU).get(0);
            first.ancestor(ObjectType.L3_CACHE).ifPresent(cache -> System.out.println("L3 of CPU " + first.osIndex()
                    + ": CPUs " + cache.cpuSet()));
        }
    }
}
