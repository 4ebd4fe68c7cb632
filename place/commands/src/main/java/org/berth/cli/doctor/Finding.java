package org.berth.cli.doctor;

import java.util.function.Function;
import org.berth.drawing.internal.text.Labels;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;

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
        /** It could not be read, so it may be anything. */
        UNKNOWN,
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

    static Finding unknown(String check, Refusal refusal) {
        return new Finding(Severity.UNKNOWN, check, "not known: " + refusal.reason(), refusal.remedy());
    }

    static Finding unknown(String check, String reason) {
        return unknown(check, new Refusal(reason, ""));
    }

    /** What follows from a value or from its absence; what was refused is not known. */
    static <T> Finding of(
            String check, Reading<T> reading, Function<? super T, Finding> value, Function<String, Finding> absent) {
        return reading.fold(value, absent, refusal -> unknown(check, refusal));
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
