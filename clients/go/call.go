package haltgate

import (
	"bytes"
	"encoding/json"

	pb "github.com/haltgate/haltgate/clients/go/haltgate/v1"
)

// Call is what an agent wants to do. Make one with [Shell], [Tool], [MCP] or [Registered].
type Call struct {
	build func(callDetails) (*pb.Call, error)
}

// callDetails is what the options of a decision say of its call.
type callDetails struct {
	cwd, home, justification string
	dialect                  Dialect
}

// Shell is a shell command, exactly as the model wrote it.
func Shell(command string) Call {
	return Call{func(details callDetails) (*pb.Call, error) {
		dialect, err := number[pb.ShellDialect](
			"call.shell.dialect", pb.ShellDialect_value, "SHELL_DIALECT_", string(details.dialect))
		if err != nil {
			return nil, err
		}
		return &pb.Call{Kind: &pb.Call_Shell{Shell: &pb.ShellCall{
			Command: command, Cwd: details.cwd, Home: details.home, Dialect: dialect, Justification: details.justification,
		}}}, nil
	}}
}

// Tool is a tool of the agent itself. Arguments are whatever encoding/json writes as an object; nil stands for {}.
func Tool(name string, arguments map[string]any) Call {
	return Call{func(details callDetails) (*pb.Call, error) {
		text, err := argumentsJSON("call.tool.arguments_json", arguments)
		if err != nil {
			return nil, err
		}
		return &pb.Call{Kind: &pb.Call_Tool{Tool: &pb.ToolCall{
			Name: name, ArgumentsJson: text, Cwd: details.cwd, Home: details.home, Justification: details.justification,
		}}}, nil
	}}
}

// MCP is a tool of the MCP server that the operator configured under this key.
func MCP(server, name string, arguments map[string]any) Call {
	return Call{func(details callDetails) (*pb.Call, error) {
		text, err := argumentsJSON("call.mcp_tool.arguments_json", arguments)
		if err != nil {
			return nil, err
		}
		return &pb.Call{Kind: &pb.Call_McpTool{McpTool: &pb.McpToolCall{
			Server: server, Name: name, ArgumentsJson: text,
			Cwd: details.cwd, Home: details.home, Justification: details.justification,
		}}}, nil
	}}
}

// Registered is a tool by the one name that the agent registered it under, as in "mcp__jira__create_issue".
func Registered(name string, arguments map[string]any) Call {
	return Call{func(details callDetails) (*pb.Call, error) {
		text, err := argumentsJSON("call.registered.arguments_json", arguments)
		if err != nil {
			return nil, err
		}
		return &pb.Call{Kind: &pb.Call_Registered{Registered: &pb.RegisteredCall{
			Name: name, ArgumentsJson: text, Cwd: details.cwd, Home: details.home, Justification: details.justification,
		}}}, nil
	}}
}

func (call Call) message(details callDetails) (*pb.Call, error) {
	if call.build == nil {
		return nil, invalid("call", "is empty: make one with Shell, Tool, MCP or Registered")
	}
	return call.build(details)
}

// argumentsJSON writes arguments as people and rules read them: without escapes for HTML.
func argumentsJSON(field string, arguments map[string]any) (string, error) {
	if len(arguments) == 0 {
		return "", nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(arguments); err != nil {
		return "", invalid(field, "cannot be written as JSON: "+err.Error())
	}
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), nil
}
