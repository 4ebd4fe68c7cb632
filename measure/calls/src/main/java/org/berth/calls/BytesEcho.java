package org.berth.calls;

import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.MethodDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.WrappersProto;
import org.jspecify.annotations.Nullable;

/** A protocol of protobuf with one method, which returns the bytes that it gets. */
@ProtocolInfo(protocolName = "org.berth.calls.BytesEcho", protocolVersion = 1)
public interface BytesEcho {
    /** Returns what it gets. */
    BytesValue echo(@Nullable RpcController controller, BytesValue message) throws ServiceException;

    /**
     * The service as the compiler of protobuf would make it; its messages are protobuf's own, so that nothing has to be compiled.
     */
    final class Service implements BlockingService {
        private final ServiceDescriptor descriptor;

        /** A new service without state. */
        public Service() {
            String type = "." + BytesValue.getDescriptor().getFullName();
            FileDescriptorProto file = FileDescriptorProto.newBuilder()
                    .setName("echo.proto")
                    .addDependency(WrappersProto.getDescriptor().getName())
                    .addService(ServiceDescriptorProto.newBuilder()
                            .setName("Echo")
                            .addMethod(MethodDescriptorProto.newBuilder()
                                    .setName("echo")
                                    .setInputType(type)
                                    .setOutputType(type)))
                    .build();
            try {
                descriptor = FileDescriptor.buildFrom(file, new FileDescriptor[] {WrappersProto.getDescriptor()})
                        .getServices()
                        .get(0);
            } catch (DescriptorValidationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public ServiceDescriptor getDescriptorForType() {
            return descriptor;
        }

        @Override
        public Message callBlockingMethod(
                MethodDescriptor method, @Nullable RpcController controller, Message request) {
            return request;
        }

        @Override
        public Message getRequestPrototype(MethodDescriptor method) {
            return BytesValue.getDefaultInstance();
        }

        @Override
        public Message getResponsePrototype(MethodDescriptor method) {
            return BytesValue.getDefaultInstance();
        }
    }
}
