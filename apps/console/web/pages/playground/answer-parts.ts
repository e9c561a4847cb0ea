import { type SnippetOperation } from '../../calls/languages';

/** A try at a provider, as an answer tells it. */
export interface ToldAttempt {
  readonly provider: string;
  readonly region: string;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error?: string;
}

/** Fields that the service adds to an answer (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
export interface SvcMember {
  readonly provider: string;
  readonly attempts: readonly ToldAttempt[];
  readonly cost: {
    readonly customer_nanos: bigint;
    /** Where an own account at the provider pays. */
    readonly provider_nanos?: bigint;
    readonly state: 'final' | 'provisional';
  };
}

export interface CallWarning {
  readonly param: string;
  readonly code: string;
  readonly message: string;
}

/** The part that a frame, or a whole answer, adds to the answer so far. */
export interface AnswerPart {
  readonly text: string;
  readonly reasoning: string;
  /** Names and arguments of called tools. */
  readonly tools: string;
  readonly svc: SvcMember | null;
  readonly warnings: readonly CallWarning[];
}

type Body = Readonly<Record<string, unknown>>;

export const noPart: AnswerPart = { text: '', reasoning: '', tools: '', svc: null, warnings: [] };

/** Two parts, one after the other. What the service adds is told once, at the end. */
export const joinedParts = (before: AnswerPart, next: AnswerPart): AnswerPart => ({
  text: before.text + next.text,
  reasoning: before.reasoning + next.reasoning,
  tools: before.tools + next.tools,
  svc: next.svc ?? before.svc,
  warnings: next.warnings.length > 0 ? next.warnings : before.warnings,
});

/** The parts of a whole answer. Of several choices the first. */
export const wholeAnswer = (operation: SnippetOperation, body: Body): AnswerPart =>
  operation === 'messages'
    ? { ...listOf(body['content']).map(partOfBlock).reduce(joinedParts, noPart), ...added(body) }
    : { ...partOfMessage(recordOf(firstChoice(body)['message'])), ...added(body) };

/** The parts of a frame of a stream. */
export const streamedPart = (operation: SnippetOperation, frame: Body): AnswerPart =>
  operation === 'messages'
    ? { ...partOfEvent(frame), ...added(frame) }
    : { ...partOfMessage(recordOf(firstChoice(frame)['delta'])), ...added(frame) };

const added = (body: Body): Pick<AnswerPart, 'svc' | 'warnings'> => ({
  svc: (body['svc'] as SvcMember | undefined) ?? null,
  warnings: listOf(body['warnings']) as unknown as readonly CallWarning[],
});

const firstChoice = (body: Body): Body => listOf(body['choices']).find(({ index = 0 }) => index === 0) ?? {};

/** A message of chat completions, or what a frame adds to it. */
const partOfMessage = (message: Body): AnswerPart => ({
  ...noPart,
  text: textOf(message['content']) + textOf(message['refusal']),
  reasoning: textOf(message['reasoning_content']) || textOf(message['reasoning']),
  tools: listOf(message['tool_calls'])
    .map((call) => recordOf(call['function']))
    .map(({ name, arguments: given }) => toolStart(name) + textOf(given))
    .join(''),
});

/** An event of messages. */
function partOfEvent({ type, content_block: block, delta }: Body): AnswerPart {
  if (type === 'content_block_start') return partOfBlock({ ...recordOf(block), input: undefined });
  if (type !== 'content_block_delta') return noPart;
  const { text, thinking, partial_json: json } = recordOf(delta);
  return { ...noPart, text: textOf(text), reasoning: textOf(thinking), tools: textOf(json) };
}

const partOfBlock = ({ text, thinking, name, input }: Body): AnswerPart => ({
  ...noPart,
  text: textOf(text),
  reasoning: textOf(thinking),
  tools: toolStart(name) + (input === undefined ? '' : JSON.stringify(input)),
});

/** Each called tool begins a line. */
const toolStart = (name: unknown): string => (typeof name === 'string' ? `\n${name} ` : '');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isRecord = (value: unknown): value is Body => typeof value === 'object' && value !== null;
const recordOf = (value: unknown): Body => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly Body[] => (Array.isArray(value) ? value.filter(isRecord) : []);
