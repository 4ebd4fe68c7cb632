package org.berth.mapreduce.runtime.sort;

/**
 * Eight bytes that order most keys of one type without reading the keys themselves. Implementations have no state.
 *
 * <p>For keys a and b that the type's comparator orders a before b, the prefix of a must not be greater than that of b. Keys
 * that it calls equal must have the same prefix.
 */
public interface KeyPrefix {
    /** Returns the prefix of a serialised key, to be compared as a signed number. */
    long of(byte[] bytes, int start, int length);

    /** Returns whether keys that share this prefix are equal for the comparator. */
    boolean isDecisive(long prefix);
}
