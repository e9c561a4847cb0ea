import { type Directive } from '../directive/directive';
import { type Prompt, type Tool } from '../prompt/prompt';
import { type ToolCall } from './answer';
import { sampleJson } from './sample-json';

/**
 * Which tools are called: those of the directive; else the one that `tool_choice` forces; else the first that
 * the user mentions by name. An answer to tool results calls none, because a loop of calls would never end.
 */
export function decideToolCalls(prompt: Prompt, directive: Directive, answerId: string): readonly ToolCall[] {
  if (prompt.continuesFromTools) return [];
  return chosen(prompt, directive).map(({ name, arguments: given }, at) => {
    const schema = prompt.tools.find((tool) => tool.name === name)?.schema;
    return {
      id: `${answerId}_${String(at)}`,
      name,
      argumentsJson:
        typeof given === 'string' ? given : JSON.stringify(given ?? sampleJson(schema ?? { type: 'object' })),
    };
  });
}

function chosen(prompt: Prompt, directive: Directive): NonNullable<Directive['tool_calls']> {
  if (directive.tool_calls !== undefined) return directive.tool_calls;
  if (directive.reply !== undefined || directive.reply_words !== undefined) return [];
  if (prompt.toolChoice.kind === 'none') return [];
  if (prompt.toolChoice.kind === 'forced') return [{ name: prompt.toolChoice.toolName }];
  const mentioned = prompt.tools.find((tool) => isMentioned(tool, prompt.userText));
  return mentioned === undefined ? [] : [{ name: mentioned.name }];
}

/** As a whole word: "together" does not mention a tool named `get`. */
function isMentioned({ name }: Tool, text: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const around = [text[at - 1], text[at + name.length]];
    if (around.every((character) => character === undefined || !/[\w-]/.test(character))) return true;
  }
  return false;
}
