package org.berth.topology.type;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The infos of an object while it is read or edited, in their order; several can have one name, as in hwloc. It is not part of the API. */
public final class InfoList {
    private final List<Info> infos = new ArrayList<>(0);

    public InfoList() {}

    public void add(Info info) {
        infos.add(info);
    }

    public void addAll(List<Info> more) {
        infos.addAll(more);
    }

    public boolean contains(Info info) {
        return infos.contains(info);
    }

    /** The value of the first one of that name, as hwloc's lookup by name has it. */
    @Nullable
    public String first(String name) {
        for (Info info : infos) {
            if (info.name().equals(name)) {
                return info.value();
            }
        }
        return null;
    }

    /** Lets one info alone have that name, in the place of the first one that has it. */
    public void set(Info info) {
        int position = 0;
        while (position < infos.size() && !infos.get(position).name().equals(info.name())) {
            position++;
        }
        infos.removeIf(old -> old.name().equals(info.name()));
        infos.add(position, info);
    }

    /** Replaces one that is there. */
    public void replace(Info old, Info info) {
        infos.set(infos.indexOf(old), info);
    }

    public List<Info> list() {
        return List.copyOf(infos);
    }
}
