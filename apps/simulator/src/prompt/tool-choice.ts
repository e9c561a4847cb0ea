import { Refusal } from '../refusal';
import { type Tool, type ToolChoice } from './prompt';

/** @throws Refusal 400 when the tool is not one of those that the call offers. */
export function forcedTool(tools: readonly Tool[], toolName: string | undefined): ToolChoice {
  const tool = toolName === undefined ? tools[0] : tools.find(({ name }) => name === toolName);
  if (tool === undefined) {
    throw new Refusal(400, `'tool_choice' asks for a tool that 'tools' does not offer.`, {
      param: 'tool_choice',
    });
  }
  return { kind: 'forced', toolName: tool.name };
}
