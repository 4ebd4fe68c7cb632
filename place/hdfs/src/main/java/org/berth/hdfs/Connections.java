package org.berth.hdfs;

import org.berth.text.Words;

/** The connections whose own interrupt-handling CPU counts, instead of the adapter's set of CPUs. */
enum Connections {
    /** Those from other hosts: only they come through the adapter. */
    REMOTE,
    /** Those from this host too, whose packets the CPU of their sender handles. */
    ALL,
    /** None. */
    NONE;

    /** The word of the setting. */
    String word() {
        return Words.of(this);
    }

    /** @throws IllegalArgumentException one line with the choices, when there is no such word */
    static Connections parse(String word) {
        for (Connections choice : values()) {
            if (choice.word().equals(word)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is not one of remote, all, none");
    }
}
