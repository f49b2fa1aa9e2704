// A model that says what a test wrote for it, in order.

import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

export class ScriptedModel extends BaseChatModel {
  readonly heard: BaseMessage[][] = [];

  constructor(private readonly script: AIMessage[]) {
    super({});
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.heard.push(messages);
    const message = this.script.shift() ?? new AIMessage("done");
    return { generations: [{ text: message.text, message }] };
  }
}

export function calling(...calls: { name: string; args: Record<string, unknown> }[]): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: calls.map((call, index) => ({ ...call, id: `call-${index}`, type: "tool_call" })),
  });
}
