package org.berth.rpc;

import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** The NameNode's audit log while it is open. */
final class AuditLog extends AppenderSkeleton implements AutoCloseable {
    private final Logger logger = Logger.getLogger(FSNamesystem.class.getName() + ".audit");
    private final Level before = logger.getLevel();
    private final Map<String, String> lines;

    private AuditLog(Map<String, String> lines) {
        this.lines = lines;
    }

    static AuditLog listen(Map<String, String> lines) {
        AuditLog log = new AuditLog(lines);
        log.logger.setLevel(Level.INFO);
        log.logger.addAppender(log);
        return log;
    }

    boolean isListening() {
        return logger.isAttached(this);
    }

    @Override
    protected void append(LoggingEvent event) {
        lines.put(lines.size() + "", event.getRenderedMessage());
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
