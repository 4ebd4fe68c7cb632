package org.berth.calls;

import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.VersionedProtocol;

/** A protocol of Writables with one method, which returns the bytes that it gets. */
public interface WritableEcho extends VersionedProtocol {
    /** Hadoop reads this field. */
    @SuppressWarnings("unused")
    long versionID = 1;

    /** Returns what it gets. */
    BytesWritable echo(BytesWritable message) throws IOException;

    /** The server's side. */
    final class Service implements WritableEcho {
        @Override
        public BytesWritable echo(BytesWritable message) {
            return message;
        }

        @Override
        public long getProtocolVersion(String protocol, long clientVersion) {
            return versionID;
        }

        @Override
        public ProtocolSignature getProtocolSignature(String protocol, long clientVersion, int methods)
                throws IOException {
            return ProtocolSignature.getProtocolSignature(this, protocol, clientVersion, methods);
        }
    }
}
