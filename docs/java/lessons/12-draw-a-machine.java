import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.discovery.Discovery;
import org.berth.drawing.machine.TopologyPicture;
import org.berth.drawing.machine.TopologySvg;
import org.berth.topology.Topology;

/** Lesson 12: draw a machine, as berth topo does: text for a terminal, SVG for a page. Pure functions of the topology. */
class DrawAMachine {
    public static void main(String[] arguments) throws Exception {
        Topology machine = Discovery.synthetic("pack:2 [numa] core:2 pu:1");
        System.out.print(TopologyPicture.render(machine, List.of("two packages"), 60, true, false));
        Files.writeString(Path.of(arguments[0]), TopologySvg.render(machine, List.of("two packages")));
    }
}
