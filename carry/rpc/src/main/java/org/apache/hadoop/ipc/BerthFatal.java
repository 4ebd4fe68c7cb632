package org.apache.hadoop.ipc;

import java.io.IOException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.jspecify.annotations.NullMarked;

/** A failure that ends the connection, as Server.FatalRpcServerException, which is private. */
@NullMarked
final class BerthFatal extends RpcServerException {
    private static final long serialVersionUID = 1;

    private final RpcErrorCodeProto code;

    BerthFatal(RpcErrorCodeProto code, IOException cause) {
        super(cause.toString(), cause);
        this.code = code;
    }

    BerthFatal(RpcErrorCodeProto code, String message) {
        this(code, new RpcServerException(message));
    }

    @Override
    public RpcStatusProto getRpcStatusProto() {
        return RpcStatusProto.FATAL;
    }

    @Override
    public RpcErrorCodeProto getRpcErrorCodeProto() {
        return code;
    }
}
