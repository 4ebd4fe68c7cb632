package org.berth.fuzz;

/** What an exception says must be fit for a user: one line, not empty, not endless, no control characters. */
final class Messages {
    private static final int LONGEST = 1000;

    private Messages() {}

    static void requireOneLine(RuntimeException refused) {
        String message = String.valueOf(refused.getMessage());
        if (message.isBlank() || message.length() > LONGEST || message.chars().anyMatch(Character::isISOControl)) {
            throw new AssertionError("not a line for a user: " + message, refused);
        }
    }
}
