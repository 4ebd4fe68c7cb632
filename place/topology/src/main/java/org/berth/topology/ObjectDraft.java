package org.berth.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.berth.topology.type.InfoList;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** One object while its topology is read: everything is known only when the whole tree is there. It is not part of the API. */
public final class ObjectDraft {
    public final ObjectType type;
    /** Line in the file, for messages; 0 when it comes from no file. */
    public final int line;

    public int osIndex = -1;
    /** hwloc's own number, by which matrices and memory attributes name objects; 0 when there is none. */
    public long globalIndex;

    @Nullable
    public String name;

    @Nullable
    public String subtype;

    public CpuSet cpus = CpuSet.empty();
    public CpuSet completeCpus = CpuSet.empty();
    public NodeSet nodes = NodeSet.empty();
    public NodeSet completeNodes = NodeSet.empty();

    /** Whether each of the nodes is local to each of the CPUs. */
    public boolean nodesLocalToAll;

    @Nullable
    public CpuSet allowedCpus;

    @Nullable
    public NodeSet allowedNodes;

    public ObjectAttributes attributes = new ObjectAttributes.None();
    public final InfoList infos = new InfoList();

    public final List<ObjectDraft> children = new ArrayList<>(0);
    public final List<ObjectDraft> memoryChildren = new ArrayList<>(0);
    public final List<ObjectDraft> ioChildren = new ArrayList<>(0);
    public final List<ObjectDraft> miscChildren = new ArrayList<>(0);

    int depth = -1;
    int logicalIndex;

    @Nullable
    TopologyObject built;

    public ObjectDraft(ObjectType type, int line) {
        this.type = type;
        this.line = line;
    }

    /** The draft of a finished object and of all below it; each is entered into the map. */
    public static ObjectDraft of(TopologyObject object, Map<TopologyObject, ObjectDraft> drafts) {
        ObjectDraft draft = new ObjectDraft(object.type(), 0);
        draft.osIndex = object.osIndex();
        draft.globalIndex = object.globalIndex();
        draft.name = object.name().orElse(null);
        draft.subtype = object.subtype().orElse(null);
        draft.cpus = object.cpuSet();
        draft.completeCpus = object.completeCpuSet();
        draft.nodes = object.nodeSet();
        draft.completeNodes = object.completeNodeSet();
        draft.attributes = object.attributes();
        draft.infos.addAll(object.allInfos());
        object.allChildren().forEach(child -> draft.listFor(child.type()).add(of(child, drafts)));
        drafts.put(object, draft);
        return draft;
    }

    public List<ObjectDraft> listFor(ObjectType child) {
        if (child.isNormal()) {
            return children;
        }
        if (child.isMemory()) {
            return memoryChildren;
        }
        return child.isIo() ? ioChildren : miscChildren;
    }

    /** This one and all below it. */
    public void forEach(Consumer<ObjectDraft> action) {
        action.accept(this);
        for (List<ObjectDraft> list : List.of(memoryChildren, children, ioChildren, miscChildren)) {
            list.forEach(child -> child.forEach(action));
        }
    }

    /** Whether two objects belong to one level: groups only when grouped for the same reason. */
    boolean sameKind(ObjectDraft other) {
        if (type != other.type) {
            return false;
        }
        return !(attributes instanceof ObjectAttributes.Group mine
                && other.attributes instanceof ObjectAttributes.Group theirs
                && (mine.kind() != theirs.kind() || mine.subkind() != theirs.subkind()));
    }

    public TopologyObject built() {
        if (built == null) {
            throw new IllegalStateException("object of line " + line + " is not built");
        }
        return built;
    }

    public TopologyException fault(String message) {
        String number = osIndex < 0 ? "" : " P#" + osIndex;
        String place = line == 0 ? "" : "line " + line + ": ";
        return new TopologyException(place + type.hwlocName() + number + " " + message);
    }
}
