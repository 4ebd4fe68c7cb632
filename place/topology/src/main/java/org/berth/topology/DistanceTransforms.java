package org.berth.topology;

/** Arithmetic on matrices of bandwidths between GPUs and the switches that join them, as hwloc does it. */
final class DistanceTransforms {
    private static final String NVLINK = "NVLinkBandwidth";
    private static final String SWITCH = "NVSwitch";

    private DistanceTransforms() {}

    static long[] links(Distances matrix) {
        if (!matrix.isBandwidth()) {
            throw refused(matrix, "only bandwidths can be counted in links");
        }
        int size = matrix.objects().size();
        long[] values = matrix.values();
        long one = 0;
        for (int i = 0; i < values.length; i++) {
            if (i % (size + 1) == 0) {
                values[i] = 0;
            } else if (values[i] != 0 && (one == 0 || Long.compareUnsigned(values[i], one) < 0)) {
                one = values[i];
            }
        }
        for (int i = 0; one != 0 && i < values.length; i++) {
            if (Long.remainderUnsigned(values[i], one) != 0) {
                throw refused(matrix, values[i] + " is not a multiple of " + one);
            }
            values[i] = Long.divideUnsigned(values[i], one);
        }
        return values;
    }

    static Distances mergedSwitchPorts(Distances matrix) {
        requireNvlink(matrix);
        int size = matrix.objects().size();
        int first = 0;
        while (first < size && !isSwitch(matrix.objects().get(first))) {
            first++;
        }
        if (first == size) {
            throw refused(matrix, "it has no object of the subtype " + SWITCH);
        }
        long[] values = matrix.values();
        for (int port = first + 1; port < size; port++) {
            if (isSwitch(matrix.objects().get(port))) {
                for (int i = 0; i < size; i++) {
                    if (i != first && i != port) {
                        values[i * size + first] += values[i * size + port];
                        values[first * size + i] += values[port * size + i];
                    }
                }
                values[first * size + first] += values[port * size + port];
            }
        }
        TopologyObject merged = matrix.objects().get(first);
        return new Distances(matrix.name(), matrix.kind(), matrix.objects(), values)
                .among(object -> object == merged || !isSwitch(object));
    }

    static long[] transitiveClosure(Distances matrix) {
        requireNvlink(matrix);
        int size = matrix.objects().size();
        long[] values = matrix.values();
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                boolean ends = from != to
                        && !isSwitch(matrix.objects().get(from))
                        && !isSwitch(matrix.objects().get(to));
                if (ends) {
                    long up = 0;
                    long down = 0;
                    for (int port = 0; port < size; port++) {
                        if (isSwitch(matrix.objects().get(port))) {
                            up += matrix.value(from, port);
                            down += matrix.value(port, to);
                        }
                    }
                    values[from * size + to] = Math.min(up, down);
                }
            }
        }
        return values;
    }

    private static boolean isSwitch(TopologyObject object) {
        return object.subtype().filter(SWITCH::equals).isPresent();
    }

    private static void requireNvlink(Distances matrix) {
        if (!matrix.name().equals(NVLINK)) {
            throw refused(matrix, "only \"" + NVLINK + "\" has switches");
        }
    }

    private static IllegalArgumentException refused(Distances matrix, String reason) {
        return new IllegalArgumentException("the matrix \"" + matrix.name() + "\" cannot be transformed: " + reason);
    }
}
