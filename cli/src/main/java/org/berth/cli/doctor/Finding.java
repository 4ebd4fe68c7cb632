package org.berth.cli.doctor;

import org.berth.drawing.internal.text.Labels;

/**
 * One line of {@code doctor}.
 *
 * @param check a stable word for scripts, "cpu-quota"
 * @param read the fact, and where it was read
 * @param fix what to do; empty when there is nothing to do
 */
record Finding(Severity severity, String check, String read, String fix) {
    /** Importance of a finding. */
    enum Severity {
        OK,
        INFO,
        /** Placement works, but costs more or achieves less than it should. */
        WARNING,
        /** Placement, or a part of it, does not work. */
        PROBLEM;

        String word() {
            return Labels.lower(this);
        }
    }

    static Finding ok(String check, String read) {
        return new Finding(Severity.OK, check, read, "");
    }

    static Finding info(String check, String read, String fix) {
        return new Finding(Severity.INFO, check, read, fix);
    }

    static Finding warning(String check, String read, String fix) {
        return new Finding(Severity.WARNING, check, read, fix);
    }

    static Finding problem(String check, String read, String fix) {
        return new Finding(Severity.PROBLEM, check, read, fix);
    }

    boolean isWrong() {
        return severity.compareTo(Severity.WARNING) >= 0;
    }
}
