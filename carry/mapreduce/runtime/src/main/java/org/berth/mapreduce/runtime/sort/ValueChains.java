package org.berth.mapreduce.runtime.sort;

/**
 * Values of keys that are in a sort buffer already, behind the record that came first: a chain of links, each with the values of
 * many records, since a link for each value meant a cache miss for each when the chain was read.
 */
final class ValueChains {
    /** A larger value has a link of its own. */
    private static final int MAX_SHARED_BYTES = 512;

    private static final int MAX_LINK_BYTES = 2048;
    private static final long PLACE = (1L << SortBuffer.PLACE_BITS) - 1;

    private final SortIndex index;
    private final RecordOutput output;

    ValueChains(SortIndex index, RecordOutput output) {
        this.index = index;
        this.output = output;
    }

    /** Notes an entry without a chain. */
    void start(int entry, long leadPlace) {
        index.links[entry] = leadPlace;
        index.keys[SortIndex.KEY_WORDS * entry + 3] = 0;
    }

    /** Takes the value whose key was dropped into the chain of an entry, and returns its length. */
    int append(int entry, int number) {
        int length = output.valueLength();
        int needed = Page.VALUE_HEADER + length;
        int value = output.first() + Page.LINK_HEADER;
        int end = SortIndex.KEY_WORDS * entry + 3;
        long tail = index.keys[end];
        int room = (int) (tail >>> SortBuffer.PLACE_BITS);
        byte[] from = output.data();
        if (needed <= room) {
            long place = tail & PLACE;
            byte[] to = output.pages().get(SortBuffer.pageOf(place)).data;
            int offset = SortBuffer.offsetOf(place);
            System.arraycopy(from, value + Page.VALUE_HEADER, to, offset + Page.VALUE_HEADER, length);
            output.drop();
            index.keys[end] = written(to, offset, length, number, place, room);
            return length;
        }
        long former = index.links[entry];
        byte[] formerData = output.pages().get(SortBuffer.pageOf(former)).data;
        int formerOffset = SortBuffer.offsetOf(former);
        int wanted = needed;
        if (needed <= MAX_SHARED_BYTES) {
            int twice = 2 * (tail == 0 ? needed : Page.number(formerData, formerOffset + 8));
            wanted = Math.max(2 * needed, Math.min(MAX_LINK_BYTES, twice));
        }
        int bytes = output.endOfLink(wanted);
        int first = output.first();
        Page.writeLink(from, first, 0);
        Page.writeNumber(from, first + 8, bytes);
        long place = ((long) (output.pages().size() - 1) << 30) | first;
        index.keys[end] = written(from, value, length, number, place + Page.LINK_HEADER, bytes);
        Page.writeLink(formerData, formerOffset, place);
        index.links[entry] = place;
        return length;
    }

    /** Completes a value and returns the new tail. */
    private static long written(byte[] data, int offset, int length, int number, long place, int room) {
        Page.writeNumber(data, offset, length);
        Page.writeNumber(data, offset + 4, number);
        int used = Page.VALUE_HEADER + length;
        int left = room - used;
        if (left >= Page.VALUE_HEADER) {
            Page.writeNumber(data, offset + used, -1);
        }
        return ((long) left << SortBuffer.PLACE_BITS) | (place + used);
    }

    /** Reads a chain. */
    static final class Reader {
        private final SortBuffer buffer;
        private byte[] data = new byte[0];
        private int at;
        private int end;
        private long nextLink;
        private int start;
        private int length;
        private int number;

        Reader(SortBuffer buffer) {
            this.buffer = buffer;
        }

        /**
         * Starts before the first value.
         *
         * @param link place of the first link, 0 when there is none
         */
        void open(long link) {
            at = 0;
            end = 0;
            nextLink = link;
        }

        boolean next() {
            while (at + Page.VALUE_HEADER > end || Page.number(data, at) < 0) {
                if (nextLink == 0) {
                    end = at;
                    return false;
                }
                data = buffer.dataAt(nextLink);
                int offset = SortBuffer.offsetOf(nextLink);
                nextLink = Page.link(data, offset);
                at = offset + Page.LINK_HEADER;
                end = at + Page.number(data, offset + 8);
            }
            length = Page.number(data, at);
            number = Page.number(data, at + 4);
            start = at + Page.VALUE_HEADER;
            at = start + length;
            return true;
        }

        byte[] data() {
            return data;
        }

        int start() {
            return start;
        }

        int length() {
            return length;
        }

        /** Number of the record in its run. */
        int number() {
            return number;
        }
    }
}
