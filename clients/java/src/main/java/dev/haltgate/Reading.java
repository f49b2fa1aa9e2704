package dev.haltgate;

import dev.haltgate.v1.McpToolCall;
import dev.haltgate.v1.RegisteredCall;
import dev.haltgate.v1.ShellCall;
import dev.haltgate.v1.ShellDialect;
import dev.haltgate.v1.ToolCall;

/** How and where a call is read. Empty texts leave it to the session. */
record Reading(String cwd, String home, Dialect dialect, String justification) {
  static final Reading DEFAULT = new Reading("", "", Dialect.BASH, "");

  dev.haltgate.v1.Call message(Call call) {
    dev.haltgate.v1.Call.Builder message = dev.haltgate.v1.Call.newBuilder();
    if (call instanceof Call.Shell shell) {
      message.setShell(
          ShellCall.newBuilder()
              .setCommand(shell.command())
              .setCwd(cwd())
              .setHome(home())
              .setDialect(Words.number(ShellDialect.class, "SHELL_DIALECT_", dialect()))
              .setJustification(justification()));
    } else if (call instanceof Call.Tool tool) {
      message.setTool(
          ToolCall.newBuilder()
              .setName(tool.name())
              .setArgumentsJson(Arguments.json("call.tool.arguments_json", tool.arguments()))
              .setCwd(cwd())
              .setHome(home())
              .setJustification(justification()));
    } else if (call instanceof Call.McpTool tool) {
      message.setMcpTool(
          McpToolCall.newBuilder()
              .setServer(tool.server())
              .setName(tool.name())
              .setArgumentsJson(Arguments.json("call.mcp_tool.arguments_json", tool.arguments()))
              .setCwd(cwd())
              .setHome(home())
              .setJustification(justification()));
    } else if (call instanceof Call.Registered tool) {
      message.setRegistered(
          RegisteredCall.newBuilder()
              .setName(tool.name())
              .setArgumentsJson(Arguments.json("call.registered.arguments_json", tool.arguments()))
              .setCwd(cwd())
              .setHome(home())
              .setJustification(justification()));
    }
    return message.build();
  }
}
