import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.discovery.Discovery;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.edit.RestrictOption;
import org.berth.topology.edit.TopologyEditor;
import org.berth.topology.synthetic.TopologySynthetic;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;

/** Lesson 10: what would the plan be with half the machine? A changed machine is a new one; the old one stays. */
class ChangeAMachine {
    public static void main(String[] arguments) throws Exception {
        Topology machine = Discovery.synthetic("pack:2 [numa] core:4 pu:2");
        TopologyObject first = machine.objects(ObjectType.PACKAGE).get(0);
        List<TopologyObject> cores = machine.below(first, ObjectType.CORE);
        Topology half = TopologyEditor.of(machine)
                .restrictTo(first.cpuSet(), RestrictOption.REMOVE_CPULESS)
                .addGroup(cores.subList(0, 2), "Half")
                .addGroup(cores.subList(2, 4), "Half")
                .addMisc(machine.root(), "fan 1")
                .build();
        System.out.println("before: " + TopologySynthetic.write(machine));
        System.out.println("after: " + TopologySynthetic.write(half));
        Files.writeString(Path.of(arguments[0]), TopologyXml.write(half)); // lstopo reads it
    }
}
