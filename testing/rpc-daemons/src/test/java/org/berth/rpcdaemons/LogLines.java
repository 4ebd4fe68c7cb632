package org.berth.rpcdaemons;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** The lines of a logger while this is open. */
final class LogLines extends AppenderSkeleton implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Level before;

    private LogLines(Logger logger) {
        this.logger = logger;
        this.before = logger.getLevel();
    }

    static LogLines of(String name) {
        LogLines lines = new LogLines(Logger.getLogger(name));
        lines.logger.setLevel(Level.INFO);
        lines.logger.addAppender(lines);
        return lines;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    protected void append(LoggingEvent event) {
        lines.add(event.getRenderedMessage());
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        // Unless this is set, the finalizer of the superclass closes once more, and takes the level from the next
        // listener.
        closed = true;
        logger.removeAppender(this);
        logger.setLevel(before);
    }
}
