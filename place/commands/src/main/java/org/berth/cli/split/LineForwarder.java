package org.berth.cli.split;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Copies the output of a process line by line behind a prefix. Bytes stay as they are, whatever their charset. A line is written
 * at once, so that lines of several processes do not mix.
 */
final class LineForwarder extends Thread {
    /** A longer line goes on as another one: it may be a file without line ends. */
    private static final int LONGEST_LINE_BYTES = 1 << 16;

    private final InputStream from;
    private final OutputStream to;
    private final byte[] prefix;
    private final Runnable onBrokenOutput;
    private boolean broken;

    /** @param onBrokenOutput called once when a line cannot be written; the output of the process is read on all the same */
    LineForwarder(String prefix, InputStream from, OutputStream to, Runnable onBrokenOutput) {
        super("berth-split-output");
        this.from = new BufferedInputStream(from);
        this.to = to;
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.onBrokenOutput = onBrokenOutput;
        setDaemon(true);
    }

    @Override
    public void run() {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        line.writeBytes(prefix);
        try (from) {
            for (int b = from.read(); b >= 0; b = from.read()) {
                if (b != '\n') {
                    line.write(b);
                }
                if (b == '\n' || line.size() >= LONGEST_LINE_BYTES) {
                    write(line);
                }
            }
        } catch (IOException closed) {
            // The process has ended; what it wrote is written below.
        }
        if (line.size() > prefix.length) {
            write(line);
        }
    }

    private void write(ByteArrayOutputStream line) {
        line.write('\n');
        if (!broken) {
            try {
                synchronized (to) {
                    to.write(line.toByteArray());
                    to.flush();
                }
            } catch (IOException e) {
                broken = true;
                onBrokenOutput.run();
            }
        }
        line.reset();
        line.writeBytes(prefix);
    }
}
