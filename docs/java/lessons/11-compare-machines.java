import org.berth.binding.discovery.Discovery;
import org.berth.topology.Topology;
import org.berth.topology.diff.TopologyDiff;

/** Lesson 11: is this host like that one? A difference can be applied, or written for hwloc-patch. */
class CompareMachines {
    public static void main(String[] arguments) {
        Topology good = Discovery.synthetic("pack:2 [numa(memory=2GiB)] core:4 pu:2");
        TopologyDiff half = TopologyDiff.parse(
                """
                <topologydiff>
                  <diff type="0" obj_depth="-3" obj_index="1" obj_attr_type="0" obj_attr_index="0"
                        obj_attr_oldvalue="2147483648" obj_attr_newvalue="1073741824"/>
                </topologydiff>
                """);
        Topology bad = half.applyTo(good);
        TopologyDiff drift = TopologyDiff.between(good, bad);
        for (TopologyDiff.Change change : drift.changes()) {
            System.out.println(TopologyDiff.object(change, good).orElseThrow() + ": " + change.kind() + " "
                    + change.oldValue() + " -> " + change.newValue());
        }
        System.out.println("the same after the change: " + TopologyDiff.between(bad, drift.applyTo(good)));
    }
}
