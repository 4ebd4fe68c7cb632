import org.berth.binding.LocalMachine;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;

/** Lesson 1: what is this machine? One native call takes the snapshot; everything after it is plain Java. */
class LookAtTheMachine {
    public static void main(String[] arguments) {
        Topology machine = LocalMachine.open().topology();
        for (ObjectType type : new ObjectType[] {ObjectType.PACKAGE, ObjectType.NUMA_NODE, ObjectType.CORE, ObjectType.PU}) {
            System.out.println(type + " " + machine.count(type));
        }
        // The whole tree; P# of a PU is its osIndex, the number that taskset and /proc use.
        System.out.println(machine.describe());
        System.out.println("may be used: CPUs " + machine.allowedCpuSet() + ", nodes " + machine.allowedNodeSet());
    }
}
