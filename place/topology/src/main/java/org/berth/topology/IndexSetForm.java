package org.berth.topology;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import org.berth.topology.internal.bits.Bitmap;

/** What stands for a set in a stream of Java's serialization; its fields stay as they are between versions. */
final class IndexSetForm implements Serializable {
    private static final long serialVersionUID = 1;

    private final boolean nodes;
    private final boolean infinite;
    private final long[] words;

    IndexSetForm(IndexSet<?> set) {
        nodes = set instanceof NodeSet;
        infinite = set.isInfinite();
        words = set.bits().toLongs();
    }

    /** The set itself; what a forged stream holds is checked as any other input. */
    private Object readResolve() throws ObjectStreamException {
        if (words == null || words.length > (Bitmap.MAX_INDEX + 1) / 64) {
            throw new InvalidObjectException("a set without words, or with more than " + (Bitmap.MAX_INDEX + 1) / 64);
        }
        Bitmap bits = Bitmap.of(words.clone(), infinite);
        return nodes ? NodeSet.over(bits) : CpuSet.over(bits);
    }
}
