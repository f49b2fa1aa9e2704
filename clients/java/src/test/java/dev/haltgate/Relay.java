package dev.haltgate;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Ends TLS in front of a gate, hands every request on, and notes what came with it. */
final class Relay implements AutoCloseable {
  private final ManagedChannel behind;
  private final Server server;
  private final List<Metadata> seen = new CopyOnWriteArrayList<>();

  Relay(String gate, ServerCredentials credentials) throws IOException {
    behind = Grpc.newChannelBuilder(gate, InsecureChannelCredentials.create()).build();
    HandlerRegistry everything =
        new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            MethodDescriptor<byte[], byte[]> method =
                MethodDescriptor.newBuilder(BYTES, BYTES)
                    .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                    .setFullMethodName(name)
                    .build();
            return ServerMethodDefinition.create(method, handler(method));
          }
        };
    server =
        Grpc.newServerBuilderForPort(0, credentials)
            .fallbackHandlerRegistry(everything)
            .build()
            .start();
  }

  String address() {
    return "127.0.0.1:" + server.getPort();
  }

  List<Metadata> seen() {
    return seen;
  }

  private ServerCallHandler<byte[], byte[]> handler(MethodDescriptor<byte[], byte[]> method) {
    return (front, headers) -> {
      seen.add(headers);
      ClientCall<byte[], byte[]> onward = behind.newCall(method, CallOptions.DEFAULT);
      onward.start(answering(front), new Metadata());
      front.sendHeaders(new Metadata());
      front.request(1);
      onward.request(Integer.MAX_VALUE);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(byte[] message) {
          onward.sendMessage(message);
          onward.halfClose();
        }

        @Override
        public void onCancel() {
          onward.cancel("the caller is gone", null);
        }
      };
    };
  }

  private static ClientCall.Listener<byte[]> answering(ServerCall<byte[], byte[]> front) {
    return new ClientCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        front.sendMessage(message);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        front.close(status, trailers);
      }
    };
  }

  @Override
  public void close() {
    server.shutdownNow();
    behind.shutdownNow();
  }

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
          return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
        }
      };
}
