package dev.haltgate.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * ApprovalGate decides whether an AI agent's call may run.
 * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
 * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
 * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
 * Rules that hold for every method:
 * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
 *   does not know, must not run the call.
 * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
 *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
 *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
 * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
 *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
 * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
 *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
 *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
 *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
 *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
 * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
 *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
 * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
 * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
 *   agent or a model wrote is raw and must be framed before a human sees it.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ApprovalGateGrpc {

  private ApprovalGateGrpc() {}

  public static final java.lang.String SERVICE_NAME = "haltgate.v1.ApprovalGate";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.DecideRequest,
      dev.haltgate.v1.DecideResponse> getDecideMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Decide",
      requestType = dev.haltgate.v1.DecideRequest.class,
      responseType = dev.haltgate.v1.DecideResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.DecideRequest,
      dev.haltgate.v1.DecideResponse> getDecideMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.DecideRequest, dev.haltgate.v1.DecideResponse> getDecideMethod;
    if ((getDecideMethod = ApprovalGateGrpc.getDecideMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getDecideMethod = ApprovalGateGrpc.getDecideMethod) == null) {
          ApprovalGateGrpc.getDecideMethod = getDecideMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.DecideRequest, dev.haltgate.v1.DecideResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Decide"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.DecideRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.DecideResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("Decide"))
              .build();
        }
      }
    }
    return getDecideMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.RateRequest,
      dev.haltgate.v1.RateResponse> getRateMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Rate",
      requestType = dev.haltgate.v1.RateRequest.class,
      responseType = dev.haltgate.v1.RateResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.RateRequest,
      dev.haltgate.v1.RateResponse> getRateMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.RateRequest, dev.haltgate.v1.RateResponse> getRateMethod;
    if ((getRateMethod = ApprovalGateGrpc.getRateMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getRateMethod = ApprovalGateGrpc.getRateMethod) == null) {
          ApprovalGateGrpc.getRateMethod = getRateMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.RateRequest, dev.haltgate.v1.RateResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Rate"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.RateRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.RateResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("Rate"))
              .build();
        }
      }
    }
    return getRateMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.StreamAttackHaltsRequest,
      dev.haltgate.v1.StreamAttackHaltsResponse> getStreamAttackHaltsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StreamAttackHalts",
      requestType = dev.haltgate.v1.StreamAttackHaltsRequest.class,
      responseType = dev.haltgate.v1.StreamAttackHaltsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.StreamAttackHaltsRequest,
      dev.haltgate.v1.StreamAttackHaltsResponse> getStreamAttackHaltsMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.StreamAttackHaltsRequest, dev.haltgate.v1.StreamAttackHaltsResponse> getStreamAttackHaltsMethod;
    if ((getStreamAttackHaltsMethod = ApprovalGateGrpc.getStreamAttackHaltsMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getStreamAttackHaltsMethod = ApprovalGateGrpc.getStreamAttackHaltsMethod) == null) {
          ApprovalGateGrpc.getStreamAttackHaltsMethod = getStreamAttackHaltsMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.StreamAttackHaltsRequest, dev.haltgate.v1.StreamAttackHaltsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StreamAttackHalts"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.StreamAttackHaltsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.StreamAttackHaltsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("StreamAttackHalts"))
              .build();
        }
      }
    }
    return getStreamAttackHaltsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.StreamEscalationsRequest,
      dev.haltgate.v1.StreamEscalationsResponse> getStreamEscalationsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StreamEscalations",
      requestType = dev.haltgate.v1.StreamEscalationsRequest.class,
      responseType = dev.haltgate.v1.StreamEscalationsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.StreamEscalationsRequest,
      dev.haltgate.v1.StreamEscalationsResponse> getStreamEscalationsMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.StreamEscalationsRequest, dev.haltgate.v1.StreamEscalationsResponse> getStreamEscalationsMethod;
    if ((getStreamEscalationsMethod = ApprovalGateGrpc.getStreamEscalationsMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getStreamEscalationsMethod = ApprovalGateGrpc.getStreamEscalationsMethod) == null) {
          ApprovalGateGrpc.getStreamEscalationsMethod = getStreamEscalationsMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.StreamEscalationsRequest, dev.haltgate.v1.StreamEscalationsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StreamEscalations"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.StreamEscalationsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.StreamEscalationsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("StreamEscalations"))
              .build();
        }
      }
    }
    return getStreamEscalationsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.AnswerRequest,
      dev.haltgate.v1.AnswerResponse> getAnswerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Answer",
      requestType = dev.haltgate.v1.AnswerRequest.class,
      responseType = dev.haltgate.v1.AnswerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.AnswerRequest,
      dev.haltgate.v1.AnswerResponse> getAnswerMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.AnswerRequest, dev.haltgate.v1.AnswerResponse> getAnswerMethod;
    if ((getAnswerMethod = ApprovalGateGrpc.getAnswerMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getAnswerMethod = ApprovalGateGrpc.getAnswerMethod) == null) {
          ApprovalGateGrpc.getAnswerMethod = getAnswerMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.AnswerRequest, dev.haltgate.v1.AnswerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Answer"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.AnswerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.AnswerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("Answer"))
              .build();
        }
      }
    }
    return getAnswerMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.ManageGrantsRequest,
      dev.haltgate.v1.ManageGrantsResponse> getManageGrantsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ManageGrants",
      requestType = dev.haltgate.v1.ManageGrantsRequest.class,
      responseType = dev.haltgate.v1.ManageGrantsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.ManageGrantsRequest,
      dev.haltgate.v1.ManageGrantsResponse> getManageGrantsMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.ManageGrantsRequest, dev.haltgate.v1.ManageGrantsResponse> getManageGrantsMethod;
    if ((getManageGrantsMethod = ApprovalGateGrpc.getManageGrantsMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getManageGrantsMethod = ApprovalGateGrpc.getManageGrantsMethod) == null) {
          ApprovalGateGrpc.getManageGrantsMethod = getManageGrantsMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.ManageGrantsRequest, dev.haltgate.v1.ManageGrantsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ManageGrants"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ManageGrantsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ManageGrantsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("ManageGrants"))
              .build();
        }
      }
    }
    return getManageGrantsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.OpenSessionRequest,
      dev.haltgate.v1.OpenSessionResponse> getOpenSessionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "OpenSession",
      requestType = dev.haltgate.v1.OpenSessionRequest.class,
      responseType = dev.haltgate.v1.OpenSessionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.OpenSessionRequest,
      dev.haltgate.v1.OpenSessionResponse> getOpenSessionMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.OpenSessionRequest, dev.haltgate.v1.OpenSessionResponse> getOpenSessionMethod;
    if ((getOpenSessionMethod = ApprovalGateGrpc.getOpenSessionMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getOpenSessionMethod = ApprovalGateGrpc.getOpenSessionMethod) == null) {
          ApprovalGateGrpc.getOpenSessionMethod = getOpenSessionMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.OpenSessionRequest, dev.haltgate.v1.OpenSessionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "OpenSession"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.OpenSessionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.OpenSessionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("OpenSession"))
              .build();
        }
      }
    }
    return getOpenSessionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.UpdateSessionRequest,
      dev.haltgate.v1.UpdateSessionResponse> getUpdateSessionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateSession",
      requestType = dev.haltgate.v1.UpdateSessionRequest.class,
      responseType = dev.haltgate.v1.UpdateSessionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.UpdateSessionRequest,
      dev.haltgate.v1.UpdateSessionResponse> getUpdateSessionMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.UpdateSessionRequest, dev.haltgate.v1.UpdateSessionResponse> getUpdateSessionMethod;
    if ((getUpdateSessionMethod = ApprovalGateGrpc.getUpdateSessionMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getUpdateSessionMethod = ApprovalGateGrpc.getUpdateSessionMethod) == null) {
          ApprovalGateGrpc.getUpdateSessionMethod = getUpdateSessionMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.UpdateSessionRequest, dev.haltgate.v1.UpdateSessionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateSession"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.UpdateSessionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.UpdateSessionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("UpdateSession"))
              .build();
        }
      }
    }
    return getUpdateSessionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.GetSessionRequest,
      dev.haltgate.v1.GetSessionResponse> getGetSessionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetSession",
      requestType = dev.haltgate.v1.GetSessionRequest.class,
      responseType = dev.haltgate.v1.GetSessionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.GetSessionRequest,
      dev.haltgate.v1.GetSessionResponse> getGetSessionMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.GetSessionRequest, dev.haltgate.v1.GetSessionResponse> getGetSessionMethod;
    if ((getGetSessionMethod = ApprovalGateGrpc.getGetSessionMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getGetSessionMethod = ApprovalGateGrpc.getGetSessionMethod) == null) {
          ApprovalGateGrpc.getGetSessionMethod = getGetSessionMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.GetSessionRequest, dev.haltgate.v1.GetSessionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetSession"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.GetSessionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.GetSessionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("GetSession"))
              .build();
        }
      }
    }
    return getGetSessionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.ListSessionsRequest,
      dev.haltgate.v1.ListSessionsResponse> getListSessionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSessions",
      requestType = dev.haltgate.v1.ListSessionsRequest.class,
      responseType = dev.haltgate.v1.ListSessionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.ListSessionsRequest,
      dev.haltgate.v1.ListSessionsResponse> getListSessionsMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.ListSessionsRequest, dev.haltgate.v1.ListSessionsResponse> getListSessionsMethod;
    if ((getListSessionsMethod = ApprovalGateGrpc.getListSessionsMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getListSessionsMethod = ApprovalGateGrpc.getListSessionsMethod) == null) {
          ApprovalGateGrpc.getListSessionsMethod = getListSessionsMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.ListSessionsRequest, dev.haltgate.v1.ListSessionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSessions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ListSessionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ListSessionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("ListSessions"))
              .build();
        }
      }
    }
    return getListSessionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.CloseSessionRequest,
      dev.haltgate.v1.CloseSessionResponse> getCloseSessionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CloseSession",
      requestType = dev.haltgate.v1.CloseSessionRequest.class,
      responseType = dev.haltgate.v1.CloseSessionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.CloseSessionRequest,
      dev.haltgate.v1.CloseSessionResponse> getCloseSessionMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.CloseSessionRequest, dev.haltgate.v1.CloseSessionResponse> getCloseSessionMethod;
    if ((getCloseSessionMethod = ApprovalGateGrpc.getCloseSessionMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getCloseSessionMethod = ApprovalGateGrpc.getCloseSessionMethod) == null) {
          ApprovalGateGrpc.getCloseSessionMethod = getCloseSessionMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.CloseSessionRequest, dev.haltgate.v1.CloseSessionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CloseSession"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.CloseSessionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.CloseSessionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("CloseSession"))
              .build();
        }
      }
    }
    return getCloseSessionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.ListDecisionsRequest,
      dev.haltgate.v1.ListDecisionsResponse> getListDecisionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListDecisions",
      requestType = dev.haltgate.v1.ListDecisionsRequest.class,
      responseType = dev.haltgate.v1.ListDecisionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.ListDecisionsRequest,
      dev.haltgate.v1.ListDecisionsResponse> getListDecisionsMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.ListDecisionsRequest, dev.haltgate.v1.ListDecisionsResponse> getListDecisionsMethod;
    if ((getListDecisionsMethod = ApprovalGateGrpc.getListDecisionsMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getListDecisionsMethod = ApprovalGateGrpc.getListDecisionsMethod) == null) {
          ApprovalGateGrpc.getListDecisionsMethod = getListDecisionsMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.ListDecisionsRequest, dev.haltgate.v1.ListDecisionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListDecisions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ListDecisionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ListDecisionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("ListDecisions"))
              .build();
        }
      }
    }
    return getListDecisionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.VerifyAuditRequest,
      dev.haltgate.v1.VerifyAuditResponse> getVerifyAuditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "VerifyAudit",
      requestType = dev.haltgate.v1.VerifyAuditRequest.class,
      responseType = dev.haltgate.v1.VerifyAuditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.VerifyAuditRequest,
      dev.haltgate.v1.VerifyAuditResponse> getVerifyAuditMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.VerifyAuditRequest, dev.haltgate.v1.VerifyAuditResponse> getVerifyAuditMethod;
    if ((getVerifyAuditMethod = ApprovalGateGrpc.getVerifyAuditMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getVerifyAuditMethod = ApprovalGateGrpc.getVerifyAuditMethod) == null) {
          ApprovalGateGrpc.getVerifyAuditMethod = getVerifyAuditMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.VerifyAuditRequest, dev.haltgate.v1.VerifyAuditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "VerifyAudit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.VerifyAuditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.VerifyAuditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("VerifyAudit"))
              .build();
        }
      }
    }
    return getVerifyAuditMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.ExportAuditRequest,
      dev.haltgate.v1.ExportAuditResponse> getExportAuditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ExportAudit",
      requestType = dev.haltgate.v1.ExportAuditRequest.class,
      responseType = dev.haltgate.v1.ExportAuditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.ExportAuditRequest,
      dev.haltgate.v1.ExportAuditResponse> getExportAuditMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.ExportAuditRequest, dev.haltgate.v1.ExportAuditResponse> getExportAuditMethod;
    if ((getExportAuditMethod = ApprovalGateGrpc.getExportAuditMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getExportAuditMethod = ApprovalGateGrpc.getExportAuditMethod) == null) {
          ApprovalGateGrpc.getExportAuditMethod = getExportAuditMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.ExportAuditRequest, dev.haltgate.v1.ExportAuditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ExportAudit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ExportAuditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.ExportAuditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("ExportAudit"))
              .build();
        }
      }
    }
    return getExportAuditMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.haltgate.v1.GetServerInfoRequest,
      dev.haltgate.v1.GetServerInfoResponse> getGetServerInfoMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetServerInfo",
      requestType = dev.haltgate.v1.GetServerInfoRequest.class,
      responseType = dev.haltgate.v1.GetServerInfoResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.haltgate.v1.GetServerInfoRequest,
      dev.haltgate.v1.GetServerInfoResponse> getGetServerInfoMethod() {
    io.grpc.MethodDescriptor<dev.haltgate.v1.GetServerInfoRequest, dev.haltgate.v1.GetServerInfoResponse> getGetServerInfoMethod;
    if ((getGetServerInfoMethod = ApprovalGateGrpc.getGetServerInfoMethod) == null) {
      synchronized (ApprovalGateGrpc.class) {
        if ((getGetServerInfoMethod = ApprovalGateGrpc.getGetServerInfoMethod) == null) {
          ApprovalGateGrpc.getGetServerInfoMethod = getGetServerInfoMethod =
              io.grpc.MethodDescriptor.<dev.haltgate.v1.GetServerInfoRequest, dev.haltgate.v1.GetServerInfoResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetServerInfo"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.GetServerInfoRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.haltgate.v1.GetServerInfoResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ApprovalGateMethodDescriptorSupplier("GetServerInfo"))
              .build();
        }
      }
    }
    return getGetServerInfoMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ApprovalGateStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ApprovalGateStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ApprovalGateStub>() {
        @java.lang.Override
        public ApprovalGateStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ApprovalGateStub(channel, callOptions);
        }
      };
    return ApprovalGateStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ApprovalGateBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ApprovalGateBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ApprovalGateBlockingV2Stub>() {
        @java.lang.Override
        public ApprovalGateBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ApprovalGateBlockingV2Stub(channel, callOptions);
        }
      };
    return ApprovalGateBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ApprovalGateBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ApprovalGateBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ApprovalGateBlockingStub>() {
        @java.lang.Override
        public ApprovalGateBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ApprovalGateBlockingStub(channel, callOptions);
        }
      };
    return ApprovalGateBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ApprovalGateFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ApprovalGateFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ApprovalGateFutureStub>() {
        @java.lang.Override
        public ApprovalGateFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ApprovalGateFutureStub(channel, callOptions);
        }
      };
    return ApprovalGateFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * ApprovalGate decides whether an AI agent's call may run.
   * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
   * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
   * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
   * Rules that hold for every method:
   * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
   *   does not know, must not run the call.
   * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
   *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
   *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
   * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
   *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
   * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
   *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
   *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
   *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
   *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
   * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
   *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
   * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
   * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
   *   agent or a model wrote is raw and must be framed before a human sees it.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Decide judges one call and says what the caller must do with it. Retries with the same request_id are safe.
     * Agents; with dry_run operators and auditors, too.
     * </pre>
     */
    default void decide(dev.haltgate.v1.DecideRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.DecideResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDecideMethod(), responseObserver);
    }

    /**
     * <pre>
     * Rate asks the rater about one call, outside of any decision: nothing is approved, negotiated or asked.
     * Agents and operators.
     * </pre>
     */
    default void rate(dev.haltgate.v1.RateRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.RateResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRateMethod(), responseObserver);
    }

    /**
     * <pre>
     * StreamAttackHalts is the live feed of runs that were halted because a call looked like an attack.
     * Operators and auditors; agents for one session of their own. A halt waits for operators and admins alone.
     * </pre>
     */
    default void streamAttackHalts(dev.haltgate.v1.StreamAttackHaltsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.StreamAttackHaltsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStreamAttackHaltsMethod(), responseObserver);
    }

    /**
     * <pre>
     * StreamEscalations is the live feed of decisions that wait for a human.
     * Operators and auditors; agents for one session of their own.
     * </pre>
     */
    default void streamEscalations(dev.haltgate.v1.StreamEscalationsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.StreamEscalationsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStreamEscalationsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Answer settles one escalation or one attack halt. The first answer wins.
     * Operators.
     * </pre>
     */
    default void answer(dev.haltgate.v1.AnswerRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.AnswerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAnswerMethod(), responseObserver);
    }

    /**
     * <pre>
     * ManageGrants lists and changes grants, denials and the trust in MCP servers.
     * Operators; auditors to list, view_trust, predict_trust and export_file.
     * </pre>
     */
    default void manageGrants(dev.haltgate.v1.ManageGrantsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ManageGrantsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getManageGrantsMethod(), responseObserver);
    }

    /**
     * <pre>
     * OpenSession opens a session, or opens it again: grants and denials that it holds stay.
     * Operators; agents within what the policy leaves to them.
     * </pre>
     */
    default void openSession(dev.haltgate.v1.OpenSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.OpenSessionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getOpenSessionMethod(), responseObserver);
    }

    /**
     * <pre>
     * UpdateSession changes what an open session knows: its rung, its tools, what its user said.
     * Operators; agents but for the rung, which is PERMISSION_DENIED (RUNG_NOT_ALLOWED).
     * </pre>
     */
    default void updateSession(dev.haltgate.v1.UpdateSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.UpdateSessionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateSessionMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetSession shows one session and the posture in force.
     * Every role.
     * </pre>
     */
    default void getSession(dev.haltgate.v1.GetSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.GetSessionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetSessionMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListSessions lists the sessions of a project, the one opened last first.
     * Every role; agents get those of their own.
     * </pre>
     */
    default void listSessions(dev.haltgate.v1.ListSessionsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ListSessionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSessionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * CloseSession ends a session: what waits for a human in it is withdrawn, and it decides nothing any more.
     * Operators and agents.
     * </pre>
     */
    default void closeSession(dev.haltgate.v1.CloseSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.CloseSessionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCloseSessionMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListDecisions lists the records of decisions, filtered and paged.
     * Operators and auditors.
     * </pre>
     */
    default void listDecisions(dev.haltgate.v1.ListDecisionsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ListDecisionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListDecisionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * VerifyAudit recomputes the hash chain over a project's records and names the first broken link.
     * Operators and auditors.
     * </pre>
     */
    default void verifyAudit(dev.haltgate.v1.VerifyAuditRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.VerifyAuditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getVerifyAuditMethod(), responseObserver);
    }

    /**
     * <pre>
     * ExportAudit sends every record of a project's chain, of all kinds, with what is needed to check its links elsewhere.
     * It ends when the last record was sent. Cut off, it is asked for again behind the last record that arrived.
     * </pre>
     */
    default void exportAudit(dev.haltgate.v1.ExportAuditRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ExportAuditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExportAuditMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetServerInfo says which server answers and under which policy.
     * Every role.
     * </pre>
     */
    default void getServerInfo(dev.haltgate.v1.GetServerInfoRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.GetServerInfoResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetServerInfoMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ApprovalGate.
   * <pre>
   * ApprovalGate decides whether an AI agent's call may run.
   * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
   * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
   * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
   * Rules that hold for every method:
   * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
   *   does not know, must not run the call.
   * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
   *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
   *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
   * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
   *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
   * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
   *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
   *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
   *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
   *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
   * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
   *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
   * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
   * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
   *   agent or a model wrote is raw and must be framed before a human sees it.
   * </pre>
   */
  public static abstract class ApprovalGateImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ApprovalGateGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ApprovalGate.
   * <pre>
   * ApprovalGate decides whether an AI agent's call may run.
   * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
   * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
   * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
   * Rules that hold for every method:
   * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
   *   does not know, must not run the call.
   * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
   *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
   *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
   * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
   *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
   * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
   *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
   *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
   *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
   *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
   * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
   *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
   * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
   * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
   *   agent or a model wrote is raw and must be framed before a human sees it.
   * </pre>
   */
  public static final class ApprovalGateStub
      extends io.grpc.stub.AbstractAsyncStub<ApprovalGateStub> {
    private ApprovalGateStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ApprovalGateStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ApprovalGateStub(channel, callOptions);
    }

    /**
     * <pre>
     * Decide judges one call and says what the caller must do with it. Retries with the same request_id are safe.
     * Agents; with dry_run operators and auditors, too.
     * </pre>
     */
    public void decide(dev.haltgate.v1.DecideRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.DecideResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDecideMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Rate asks the rater about one call, outside of any decision: nothing is approved, negotiated or asked.
     * Agents and operators.
     * </pre>
     */
    public void rate(dev.haltgate.v1.RateRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.RateResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRateMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * StreamAttackHalts is the live feed of runs that were halted because a call looked like an attack.
     * Operators and auditors; agents for one session of their own. A halt waits for operators and admins alone.
     * </pre>
     */
    public void streamAttackHalts(dev.haltgate.v1.StreamAttackHaltsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.StreamAttackHaltsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getStreamAttackHaltsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * StreamEscalations is the live feed of decisions that wait for a human.
     * Operators and auditors; agents for one session of their own.
     * </pre>
     */
    public void streamEscalations(dev.haltgate.v1.StreamEscalationsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.StreamEscalationsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getStreamEscalationsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Answer settles one escalation or one attack halt. The first answer wins.
     * Operators.
     * </pre>
     */
    public void answer(dev.haltgate.v1.AnswerRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.AnswerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAnswerMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ManageGrants lists and changes grants, denials and the trust in MCP servers.
     * Operators; auditors to list, view_trust, predict_trust and export_file.
     * </pre>
     */
    public void manageGrants(dev.haltgate.v1.ManageGrantsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ManageGrantsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getManageGrantsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * OpenSession opens a session, or opens it again: grants and denials that it holds stay.
     * Operators; agents within what the policy leaves to them.
     * </pre>
     */
    public void openSession(dev.haltgate.v1.OpenSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.OpenSessionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getOpenSessionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * UpdateSession changes what an open session knows: its rung, its tools, what its user said.
     * Operators; agents but for the rung, which is PERMISSION_DENIED (RUNG_NOT_ALLOWED).
     * </pre>
     */
    public void updateSession(dev.haltgate.v1.UpdateSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.UpdateSessionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateSessionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetSession shows one session and the posture in force.
     * Every role.
     * </pre>
     */
    public void getSession(dev.haltgate.v1.GetSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.GetSessionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetSessionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListSessions lists the sessions of a project, the one opened last first.
     * Every role; agents get those of their own.
     * </pre>
     */
    public void listSessions(dev.haltgate.v1.ListSessionsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ListSessionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSessionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CloseSession ends a session: what waits for a human in it is withdrawn, and it decides nothing any more.
     * Operators and agents.
     * </pre>
     */
    public void closeSession(dev.haltgate.v1.CloseSessionRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.CloseSessionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCloseSessionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListDecisions lists the records of decisions, filtered and paged.
     * Operators and auditors.
     * </pre>
     */
    public void listDecisions(dev.haltgate.v1.ListDecisionsRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ListDecisionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListDecisionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * VerifyAudit recomputes the hash chain over a project's records and names the first broken link.
     * Operators and auditors.
     * </pre>
     */
    public void verifyAudit(dev.haltgate.v1.VerifyAuditRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.VerifyAuditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getVerifyAuditMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ExportAudit sends every record of a project's chain, of all kinds, with what is needed to check its links elsewhere.
     * It ends when the last record was sent. Cut off, it is asked for again behind the last record that arrived.
     * </pre>
     */
    public void exportAudit(dev.haltgate.v1.ExportAuditRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.ExportAuditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getExportAuditMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetServerInfo says which server answers and under which policy.
     * Every role.
     * </pre>
     */
    public void getServerInfo(dev.haltgate.v1.GetServerInfoRequest request,
        io.grpc.stub.StreamObserver<dev.haltgate.v1.GetServerInfoResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetServerInfoMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ApprovalGate.
   * <pre>
   * ApprovalGate decides whether an AI agent's call may run.
   * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
   * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
   * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
   * Rules that hold for every method:
   * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
   *   does not know, must not run the call.
   * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
   *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
   *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
   * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
   *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
   * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
   *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
   *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
   *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
   *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
   * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
   *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
   * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
   * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
   *   agent or a model wrote is raw and must be framed before a human sees it.
   * </pre>
   */
  public static final class ApprovalGateBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ApprovalGateBlockingV2Stub> {
    private ApprovalGateBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ApprovalGateBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ApprovalGateBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Decide judges one call and says what the caller must do with it. Retries with the same request_id are safe.
     * Agents; with dry_run operators and auditors, too.
     * </pre>
     */
    public dev.haltgate.v1.DecideResponse decide(dev.haltgate.v1.DecideRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDecideMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Rate asks the rater about one call, outside of any decision: nothing is approved, negotiated or asked.
     * Agents and operators.
     * </pre>
     */
    public dev.haltgate.v1.RateResponse rate(dev.haltgate.v1.RateRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * StreamAttackHalts is the live feed of runs that were halted because a call looked like an attack.
     * Operators and auditors; agents for one session of their own. A halt waits for operators and admins alone.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.haltgate.v1.StreamAttackHaltsResponse>
        streamAttackHalts(dev.haltgate.v1.StreamAttackHaltsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getStreamAttackHaltsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * StreamEscalations is the live feed of decisions that wait for a human.
     * Operators and auditors; agents for one session of their own.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.haltgate.v1.StreamEscalationsResponse>
        streamEscalations(dev.haltgate.v1.StreamEscalationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getStreamEscalationsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answer settles one escalation or one attack halt. The first answer wins.
     * Operators.
     * </pre>
     */
    public dev.haltgate.v1.AnswerResponse answer(dev.haltgate.v1.AnswerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAnswerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ManageGrants lists and changes grants, denials and the trust in MCP servers.
     * Operators; auditors to list, view_trust, predict_trust and export_file.
     * </pre>
     */
    public dev.haltgate.v1.ManageGrantsResponse manageGrants(dev.haltgate.v1.ManageGrantsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getManageGrantsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * OpenSession opens a session, or opens it again: grants and denials that it holds stay.
     * Operators; agents within what the policy leaves to them.
     * </pre>
     */
    public dev.haltgate.v1.OpenSessionResponse openSession(dev.haltgate.v1.OpenSessionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getOpenSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateSession changes what an open session knows: its rung, its tools, what its user said.
     * Operators; agents but for the rung, which is PERMISSION_DENIED (RUNG_NOT_ALLOWED).
     * </pre>
     */
    public dev.haltgate.v1.UpdateSessionResponse updateSession(dev.haltgate.v1.UpdateSessionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetSession shows one session and the posture in force.
     * Every role.
     * </pre>
     */
    public dev.haltgate.v1.GetSessionResponse getSession(dev.haltgate.v1.GetSessionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListSessions lists the sessions of a project, the one opened last first.
     * Every role; agents get those of their own.
     * </pre>
     */
    public dev.haltgate.v1.ListSessionsResponse listSessions(dev.haltgate.v1.ListSessionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSessionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CloseSession ends a session: what waits for a human in it is withdrawn, and it decides nothing any more.
     * Operators and agents.
     * </pre>
     */
    public dev.haltgate.v1.CloseSessionResponse closeSession(dev.haltgate.v1.CloseSessionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCloseSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListDecisions lists the records of decisions, filtered and paged.
     * Operators and auditors.
     * </pre>
     */
    public dev.haltgate.v1.ListDecisionsResponse listDecisions(dev.haltgate.v1.ListDecisionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListDecisionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * VerifyAudit recomputes the hash chain over a project's records and names the first broken link.
     * Operators and auditors.
     * </pre>
     */
    public dev.haltgate.v1.VerifyAuditResponse verifyAudit(dev.haltgate.v1.VerifyAuditRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getVerifyAuditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ExportAudit sends every record of a project's chain, of all kinds, with what is needed to check its links elsewhere.
     * It ends when the last record was sent. Cut off, it is asked for again behind the last record that arrived.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.haltgate.v1.ExportAuditResponse>
        exportAudit(dev.haltgate.v1.ExportAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getExportAuditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetServerInfo says which server answers and under which policy.
     * Every role.
     * </pre>
     */
    public dev.haltgate.v1.GetServerInfoResponse getServerInfo(dev.haltgate.v1.GetServerInfoRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetServerInfoMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ApprovalGate.
   * <pre>
   * ApprovalGate decides whether an AI agent's call may run.
   * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
   * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
   * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
   * Rules that hold for every method:
   * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
   *   does not know, must not run the call.
   * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
   *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
   *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
   * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
   *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
   * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
   *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
   *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
   *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
   *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
   * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
   *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
   * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
   * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
   *   agent or a model wrote is raw and must be framed before a human sees it.
   * </pre>
   */
  public static final class ApprovalGateBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ApprovalGateBlockingStub> {
    private ApprovalGateBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ApprovalGateBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ApprovalGateBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Decide judges one call and says what the caller must do with it. Retries with the same request_id are safe.
     * Agents; with dry_run operators and auditors, too.
     * </pre>
     */
    public dev.haltgate.v1.DecideResponse decide(dev.haltgate.v1.DecideRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDecideMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Rate asks the rater about one call, outside of any decision: nothing is approved, negotiated or asked.
     * Agents and operators.
     * </pre>
     */
    public dev.haltgate.v1.RateResponse rate(dev.haltgate.v1.RateRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRateMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * StreamAttackHalts is the live feed of runs that were halted because a call looked like an attack.
     * Operators and auditors; agents for one session of their own. A halt waits for operators and admins alone.
     * </pre>
     */
    public java.util.Iterator<dev.haltgate.v1.StreamAttackHaltsResponse> streamAttackHalts(
        dev.haltgate.v1.StreamAttackHaltsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getStreamAttackHaltsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * StreamEscalations is the live feed of decisions that wait for a human.
     * Operators and auditors; agents for one session of their own.
     * </pre>
     */
    public java.util.Iterator<dev.haltgate.v1.StreamEscalationsResponse> streamEscalations(
        dev.haltgate.v1.StreamEscalationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getStreamEscalationsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Answer settles one escalation or one attack halt. The first answer wins.
     * Operators.
     * </pre>
     */
    public dev.haltgate.v1.AnswerResponse answer(dev.haltgate.v1.AnswerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAnswerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ManageGrants lists and changes grants, denials and the trust in MCP servers.
     * Operators; auditors to list, view_trust, predict_trust and export_file.
     * </pre>
     */
    public dev.haltgate.v1.ManageGrantsResponse manageGrants(dev.haltgate.v1.ManageGrantsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getManageGrantsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * OpenSession opens a session, or opens it again: grants and denials that it holds stay.
     * Operators; agents within what the policy leaves to them.
     * </pre>
     */
    public dev.haltgate.v1.OpenSessionResponse openSession(dev.haltgate.v1.OpenSessionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getOpenSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateSession changes what an open session knows: its rung, its tools, what its user said.
     * Operators; agents but for the rung, which is PERMISSION_DENIED (RUNG_NOT_ALLOWED).
     * </pre>
     */
    public dev.haltgate.v1.UpdateSessionResponse updateSession(dev.haltgate.v1.UpdateSessionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetSession shows one session and the posture in force.
     * Every role.
     * </pre>
     */
    public dev.haltgate.v1.GetSessionResponse getSession(dev.haltgate.v1.GetSessionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListSessions lists the sessions of a project, the one opened last first.
     * Every role; agents get those of their own.
     * </pre>
     */
    public dev.haltgate.v1.ListSessionsResponse listSessions(dev.haltgate.v1.ListSessionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSessionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CloseSession ends a session: what waits for a human in it is withdrawn, and it decides nothing any more.
     * Operators and agents.
     * </pre>
     */
    public dev.haltgate.v1.CloseSessionResponse closeSession(dev.haltgate.v1.CloseSessionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCloseSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListDecisions lists the records of decisions, filtered and paged.
     * Operators and auditors.
     * </pre>
     */
    public dev.haltgate.v1.ListDecisionsResponse listDecisions(dev.haltgate.v1.ListDecisionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListDecisionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * VerifyAudit recomputes the hash chain over a project's records and names the first broken link.
     * Operators and auditors.
     * </pre>
     */
    public dev.haltgate.v1.VerifyAuditResponse verifyAudit(dev.haltgate.v1.VerifyAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getVerifyAuditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ExportAudit sends every record of a project's chain, of all kinds, with what is needed to check its links elsewhere.
     * It ends when the last record was sent. Cut off, it is asked for again behind the last record that arrived.
     * </pre>
     */
    public java.util.Iterator<dev.haltgate.v1.ExportAuditResponse> exportAudit(
        dev.haltgate.v1.ExportAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getExportAuditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetServerInfo says which server answers and under which policy.
     * Every role.
     * </pre>
     */
    public dev.haltgate.v1.GetServerInfoResponse getServerInfo(dev.haltgate.v1.GetServerInfoRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetServerInfoMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ApprovalGate.
   * <pre>
   * ApprovalGate decides whether an AI agent's call may run.
   * An agent asks before every call (Decide). Screens follow what needs a human (StreamEscalations, StreamAttackHalts)
   * and answer it (Answer). Operators manage what humans granted and which server is believed (ManageGrants), and look
   * at what was decided (ListDecisions, VerifyAudit, ExportAudit).
   * Rules that hold for every method:
   * - A refusal is a successful response, never an error status. A caller that gets an error, or an enum value that it
   *   does not know, must not run the call.
   * - Errors use the standard status codes. Every error carries a google.rpc.ErrorInfo with domain "haltgate.dev" and a
   *   reason from ErrorReason. INVALID_ARGUMENT also carries a google.rpc.BadRequest with one violation per field;
   *   RESOURCE_EXHAUSTED and UNAVAILABLE also carry a google.rpc.RetryInfo.
   * - Any method may answer UNAUTHENTICATED, PERMISSION_DENIED (about the caller itself, never about the call that is
   *   judged), RESOURCE_EXHAUSTED (OVERLOADED), UNAVAILABLE (DRAINING or STORE_UNAVAILABLE) and INTERNAL.
   * - Where the server needs credentials, each method says which roles may use it, and every caller only in the projects
   *   that its credentials are for: another role is PERMISSION_DENIED (ROLE_NOT_ALLOWED), another project
   *   PERMISSION_DENIED (PROJECT_NOT_ALLOWED), whether or not there is anything of that name. An admin may use every
   *   method. An agent may use only sessions of its own, which are those that it used first: another agent's are
   *   PERMISSION_DENIED (SESSION_NOT_ALLOWED).
   * - Identifiers (project, session_id, run_id, request_id) are 1 to 128 printable ASCII characters (0x21 to 0x7e),
   *   compared byte for byte. Identifiers that the server makes are UUIDs of version 7, in lower case.
   * - Text is UTF-8. Limits in bytes count its encoding; limits in characters count Unicode scalar values.
   * - Fields named "framed_lines" hold text that is safe to print on a terminal row by row; every other text that an
   *   agent or a model wrote is raw and must be framed before a human sees it.
   * </pre>
   */
  public static final class ApprovalGateFutureStub
      extends io.grpc.stub.AbstractFutureStub<ApprovalGateFutureStub> {
    private ApprovalGateFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ApprovalGateFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ApprovalGateFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Decide judges one call and says what the caller must do with it. Retries with the same request_id are safe.
     * Agents; with dry_run operators and auditors, too.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.DecideResponse> decide(
        dev.haltgate.v1.DecideRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDecideMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Rate asks the rater about one call, outside of any decision: nothing is approved, negotiated or asked.
     * Agents and operators.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.RateResponse> rate(
        dev.haltgate.v1.RateRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRateMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Answer settles one escalation or one attack halt. The first answer wins.
     * Operators.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.AnswerResponse> answer(
        dev.haltgate.v1.AnswerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAnswerMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ManageGrants lists and changes grants, denials and the trust in MCP servers.
     * Operators; auditors to list, view_trust, predict_trust and export_file.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.ManageGrantsResponse> manageGrants(
        dev.haltgate.v1.ManageGrantsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getManageGrantsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * OpenSession opens a session, or opens it again: grants and denials that it holds stay.
     * Operators; agents within what the policy leaves to them.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.OpenSessionResponse> openSession(
        dev.haltgate.v1.OpenSessionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getOpenSessionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * UpdateSession changes what an open session knows: its rung, its tools, what its user said.
     * Operators; agents but for the rung, which is PERMISSION_DENIED (RUNG_NOT_ALLOWED).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.UpdateSessionResponse> updateSession(
        dev.haltgate.v1.UpdateSessionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateSessionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetSession shows one session and the posture in force.
     * Every role.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.GetSessionResponse> getSession(
        dev.haltgate.v1.GetSessionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetSessionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListSessions lists the sessions of a project, the one opened last first.
     * Every role; agents get those of their own.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.ListSessionsResponse> listSessions(
        dev.haltgate.v1.ListSessionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSessionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CloseSession ends a session: what waits for a human in it is withdrawn, and it decides nothing any more.
     * Operators and agents.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.CloseSessionResponse> closeSession(
        dev.haltgate.v1.CloseSessionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCloseSessionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListDecisions lists the records of decisions, filtered and paged.
     * Operators and auditors.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.ListDecisionsResponse> listDecisions(
        dev.haltgate.v1.ListDecisionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListDecisionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * VerifyAudit recomputes the hash chain over a project's records and names the first broken link.
     * Operators and auditors.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.VerifyAuditResponse> verifyAudit(
        dev.haltgate.v1.VerifyAuditRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getVerifyAuditMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetServerInfo says which server answers and under which policy.
     * Every role.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.haltgate.v1.GetServerInfoResponse> getServerInfo(
        dev.haltgate.v1.GetServerInfoRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetServerInfoMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_DECIDE = 0;
  private static final int METHODID_RATE = 1;
  private static final int METHODID_STREAM_ATTACK_HALTS = 2;
  private static final int METHODID_STREAM_ESCALATIONS = 3;
  private static final int METHODID_ANSWER = 4;
  private static final int METHODID_MANAGE_GRANTS = 5;
  private static final int METHODID_OPEN_SESSION = 6;
  private static final int METHODID_UPDATE_SESSION = 7;
  private static final int METHODID_GET_SESSION = 8;
  private static final int METHODID_LIST_SESSIONS = 9;
  private static final int METHODID_CLOSE_SESSION = 10;
  private static final int METHODID_LIST_DECISIONS = 11;
  private static final int METHODID_VERIFY_AUDIT = 12;
  private static final int METHODID_EXPORT_AUDIT = 13;
  private static final int METHODID_GET_SERVER_INFO = 14;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_DECIDE:
          serviceImpl.decide((dev.haltgate.v1.DecideRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.DecideResponse>) responseObserver);
          break;
        case METHODID_RATE:
          serviceImpl.rate((dev.haltgate.v1.RateRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.RateResponse>) responseObserver);
          break;
        case METHODID_STREAM_ATTACK_HALTS:
          serviceImpl.streamAttackHalts((dev.haltgate.v1.StreamAttackHaltsRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.StreamAttackHaltsResponse>) responseObserver);
          break;
        case METHODID_STREAM_ESCALATIONS:
          serviceImpl.streamEscalations((dev.haltgate.v1.StreamEscalationsRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.StreamEscalationsResponse>) responseObserver);
          break;
        case METHODID_ANSWER:
          serviceImpl.answer((dev.haltgate.v1.AnswerRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.AnswerResponse>) responseObserver);
          break;
        case METHODID_MANAGE_GRANTS:
          serviceImpl.manageGrants((dev.haltgate.v1.ManageGrantsRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.ManageGrantsResponse>) responseObserver);
          break;
        case METHODID_OPEN_SESSION:
          serviceImpl.openSession((dev.haltgate.v1.OpenSessionRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.OpenSessionResponse>) responseObserver);
          break;
        case METHODID_UPDATE_SESSION:
          serviceImpl.updateSession((dev.haltgate.v1.UpdateSessionRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.UpdateSessionResponse>) responseObserver);
          break;
        case METHODID_GET_SESSION:
          serviceImpl.getSession((dev.haltgate.v1.GetSessionRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.GetSessionResponse>) responseObserver);
          break;
        case METHODID_LIST_SESSIONS:
          serviceImpl.listSessions((dev.haltgate.v1.ListSessionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.ListSessionsResponse>) responseObserver);
          break;
        case METHODID_CLOSE_SESSION:
          serviceImpl.closeSession((dev.haltgate.v1.CloseSessionRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.CloseSessionResponse>) responseObserver);
          break;
        case METHODID_LIST_DECISIONS:
          serviceImpl.listDecisions((dev.haltgate.v1.ListDecisionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.ListDecisionsResponse>) responseObserver);
          break;
        case METHODID_VERIFY_AUDIT:
          serviceImpl.verifyAudit((dev.haltgate.v1.VerifyAuditRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.VerifyAuditResponse>) responseObserver);
          break;
        case METHODID_EXPORT_AUDIT:
          serviceImpl.exportAudit((dev.haltgate.v1.ExportAuditRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.ExportAuditResponse>) responseObserver);
          break;
        case METHODID_GET_SERVER_INFO:
          serviceImpl.getServerInfo((dev.haltgate.v1.GetServerInfoRequest) request,
              (io.grpc.stub.StreamObserver<dev.haltgate.v1.GetServerInfoResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getDecideMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.DecideRequest,
              dev.haltgate.v1.DecideResponse>(
                service, METHODID_DECIDE)))
        .addMethod(
          getRateMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.RateRequest,
              dev.haltgate.v1.RateResponse>(
                service, METHODID_RATE)))
        .addMethod(
          getStreamAttackHaltsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.haltgate.v1.StreamAttackHaltsRequest,
              dev.haltgate.v1.StreamAttackHaltsResponse>(
                service, METHODID_STREAM_ATTACK_HALTS)))
        .addMethod(
          getStreamEscalationsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.haltgate.v1.StreamEscalationsRequest,
              dev.haltgate.v1.StreamEscalationsResponse>(
                service, METHODID_STREAM_ESCALATIONS)))
        .addMethod(
          getAnswerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.AnswerRequest,
              dev.haltgate.v1.AnswerResponse>(
                service, METHODID_ANSWER)))
        .addMethod(
          getManageGrantsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.ManageGrantsRequest,
              dev.haltgate.v1.ManageGrantsResponse>(
                service, METHODID_MANAGE_GRANTS)))
        .addMethod(
          getOpenSessionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.OpenSessionRequest,
              dev.haltgate.v1.OpenSessionResponse>(
                service, METHODID_OPEN_SESSION)))
        .addMethod(
          getUpdateSessionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.UpdateSessionRequest,
              dev.haltgate.v1.UpdateSessionResponse>(
                service, METHODID_UPDATE_SESSION)))
        .addMethod(
          getGetSessionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.GetSessionRequest,
              dev.haltgate.v1.GetSessionResponse>(
                service, METHODID_GET_SESSION)))
        .addMethod(
          getListSessionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.ListSessionsRequest,
              dev.haltgate.v1.ListSessionsResponse>(
                service, METHODID_LIST_SESSIONS)))
        .addMethod(
          getCloseSessionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.CloseSessionRequest,
              dev.haltgate.v1.CloseSessionResponse>(
                service, METHODID_CLOSE_SESSION)))
        .addMethod(
          getListDecisionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.ListDecisionsRequest,
              dev.haltgate.v1.ListDecisionsResponse>(
                service, METHODID_LIST_DECISIONS)))
        .addMethod(
          getVerifyAuditMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.VerifyAuditRequest,
              dev.haltgate.v1.VerifyAuditResponse>(
                service, METHODID_VERIFY_AUDIT)))
        .addMethod(
          getExportAuditMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.haltgate.v1.ExportAuditRequest,
              dev.haltgate.v1.ExportAuditResponse>(
                service, METHODID_EXPORT_AUDIT)))
        .addMethod(
          getGetServerInfoMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.haltgate.v1.GetServerInfoRequest,
              dev.haltgate.v1.GetServerInfoResponse>(
                service, METHODID_GET_SERVER_INFO)))
        .build();
  }

  private static abstract class ApprovalGateBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ApprovalGateBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.haltgate.v1.ApprovalGateOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ApprovalGate");
    }
  }

  private static final class ApprovalGateFileDescriptorSupplier
      extends ApprovalGateBaseDescriptorSupplier {
    ApprovalGateFileDescriptorSupplier() {}
  }

  private static final class ApprovalGateMethodDescriptorSupplier
      extends ApprovalGateBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ApprovalGateMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (ApprovalGateGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ApprovalGateFileDescriptorSupplier())
              .addMethod(getDecideMethod())
              .addMethod(getRateMethod())
              .addMethod(getStreamAttackHaltsMethod())
              .addMethod(getStreamEscalationsMethod())
              .addMethod(getAnswerMethod())
              .addMethod(getManageGrantsMethod())
              .addMethod(getOpenSessionMethod())
              .addMethod(getUpdateSessionMethod())
              .addMethod(getGetSessionMethod())
              .addMethod(getListSessionsMethod())
              .addMethod(getCloseSessionMethod())
              .addMethod(getListDecisionsMethod())
              .addMethod(getVerifyAuditMethod())
              .addMethod(getExportAuditMethod())
              .addMethod(getGetServerInfoMethod())
              .build();
        }
      }
    }
    return result;
  }
}
