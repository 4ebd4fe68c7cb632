package org.apache.hadoop.ipc;

import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.util.StringUtils;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What a response reports about a call that failed.
 *
 * @param status whether the connection ends with it
 * @param errorClass of the exception that the client throws
 */
@NullMarked
record BerthFailure(
        RpcStatusProto status,
        RpcErrorCodeProto code,
        String errorClass,
        @Nullable String message) {
    /**
     * Reports an exception of the method as Hadoop does: with the stack, without the class, which is sent separately.
     */
    static BerthFailure ofApplication(Throwable thrown) {
        String errorClass = thrown.getClass().getName();
        String text = StringUtils.stringifyException(thrown);
        String repeated = errorClass + ": ";
        String message = text.startsWith(repeated) ? text.substring(repeated.length()) : text;
        return thrown instanceof RpcServerException refused
                ? new BerthFailure(refused.getRpcStatusProto(), refused.getRpcErrorCodeProto(), errorClass, message)
                : new BerthFailure(RpcStatusProto.ERROR, RpcErrorCodeProto.ERROR_APPLICATION, errorClass, message);
    }

    /** Reports a call that did not reach its method, as Hadoop does. */
    static BerthFailure ofServer(RpcServerException refused) {
        Throwable told = refused.getCause() != null ? refused.getCause() : refused;
        return new BerthFailure(
                refused.getRpcStatusProto(),
                refused.getRpcErrorCodeProto(),
                told.getClass().getName(),
                told.getMessage());
    }
}
