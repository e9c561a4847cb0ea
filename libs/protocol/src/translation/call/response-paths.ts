/** Paths in a responses call of what a chat message was translated from. */
export interface MessageOrigin {
  readonly item: string;
  readonly content: readonly string[];
  readonly tool_calls: readonly string[];
  readonly reasoning_details: readonly string[];
}

/** Chat's names of parameters that the responses protocol has under another one. */
const names: Readonly<Record<string, string>> = {
  messages: 'input',
  max_completion_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  response_format: 'text.format',
  verbosity: 'text.verbosity',
};

const MESSAGE = /^messages\[(\d+)\](?:\.(content|tool_calls|reasoning_details)\[(\d+)\])?/;
const TOOL = /^tools\[(\d+)\]/;

interface CallOrigins {
  readonly messages: readonly MessageOrigin[];
  readonly tools: readonly string[];
  /** The field that asked for log probabilities. */
  readonly logprobs: string;
}

/** The path in a responses call of a parameter of the chat call that it was translated to. */
export function responsePath(chatPath: string, { messages, tools, logprobs }: CallOrigins): string {
  const message = MESSAGE.exec(chatPath);
  if (message !== null) {
    const origin = messages[Number(message[1])];
    const list = message[2] as Exclude<keyof MessageOrigin, 'item'> | undefined;
    const part = list === undefined ? undefined : origin?.[list][Number(message[3])];
    if (part === undefined) return origin?.item ?? 'input';
    return chatPath.endsWith('.image_url.detail') ? `${part}.detail` : part;
  }
  const tool = TOOL.exec(chatPath);
  if (tool !== null) return tools[Number(tool[1])] ?? 'tools';
  return chatPath === 'logprobs' ? logprobs : (names[chatPath] ?? chatPath);
}
