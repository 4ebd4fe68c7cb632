package org.berth.cli.watch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.berth.cli.watch.LiveTable.Choice;
import org.berth.cli.watch.LiveTable.Order;
import org.jspecify.annotations.Nullable;

/**
 * The keys that the user presses during a watch. The terminal sends each at once, without an echo, until this is closed; ^C stays what it
 * is. Thread-safe.
 */
final class LiveKeys implements AutoCloseable {
    private static final String HELP = "q quits; order by c CPU, m migrations, n name; i shows idle threads";

    private final @Nullable String former;
    private volatile Choice choice = Choice.FIRST;
    private volatile boolean ended;

    private LiveKeys(@Nullable String former) {
        this.former = former;
    }

    /** No keys: standard input is no terminal, or belongs to the command. */
    static LiveKeys none() {
        return new LiveKeys(null);
    }

    /** Reads keys from standard input, which is a terminal; none where stty(1) cannot change it. */
    static LiveKeys open() {
        String state = stty("-g");
        if (state.isEmpty() || !stty("-icanon", "-echo", "min", "1").isEmpty()) {
            return none();
        }
        LiveKeys keys = new LiveKeys(state);
        Thread reader = new Thread(() -> keys.read(System.in), "berth-keys");
        reader.setDaemon(true);
        reader.start();
        return keys;
    }

    private void read(InputStream in) {
        try {
            for (int key = in.read(); key >= 0 && !ended; key = in.read()) {
                press((char) key);
            }
        } catch (IOException noMoreKeys) {
            // The watch goes on without them.
        }
    }

    void press(char key) {
        Choice now = choice;
        switch (key) {
            case 'q', 'Q' -> ended = true;
            case 'c' -> choice = new Choice(Order.CPU, now.idle());
            case 'm' -> choice = new Choice(Order.MIGRATIONS, now.idle());
            case 'n' -> choice = new Choice(Order.NAME, now.idle());
            case 'i' -> choice = new Choice(now.order(), !now.idle());
            default -> {}
        }
    }

    Choice choice() {
        return choice;
    }

    boolean ended() {
        return ended;
    }

    /** One line for the user; empty without keys. */
    String help() {
        return former == null ? "" : HELP;
    }

    /** Standard output, or a text that is not empty when it failed. */
    private static String stty(String... words) {
        String[] command = new String[words.length + 1];
        command[0] = "stty";
        System.arraycopy(words, 0, command, 1, words.length);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            boolean done = process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() == 0;
            return words[0].equals("-g") ? (done ? answer : "") : done ? "" : "failed";
        } catch (IOException e) {
            return words[0].equals("-g") ? "" : "failed";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return words[0].equals("-g") ? "" : "failed";
        }
    }

    /** Restores the terminal. */
    @Override
    public void close() {
        ended = true;
        if (former != null) {
            stty(former);
        }
    }
}
