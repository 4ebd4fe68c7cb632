package org.berth.spark;

/** Why something failed, in one line for a log or a page. */
final class Reason {
    private Reason() {}

    static String of(Throwable reason) {
        String message = reason.getMessage();
        String text = message == null ? reason.toString() : message;
        return text.lines().findFirst().orElseGet(reason::toString);
    }
}
