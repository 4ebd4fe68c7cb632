package org.berth.mapreduce.programs.shared;

import java.util.Optional;

/** Failures as one line. */
final class FailureLine {
    private FailureLine() {}

    /** The first line of the message; the class where the message alone would not tell what is wrong. */
    static String line(Exception e) {
        String message = Optional.ofNullable(e.getMessage())
                .flatMap(text -> text.lines().filter(line -> !line.isBlank()).findFirst())
                .orElse("");
        if (e instanceof JobFailedException) {
            return message;
        }
        String type = e.getClass().getSimpleName();
        return message.isEmpty() ? type : type + ": " + message;
    }
}
