import { type FeatureName, type Protocol } from './feature-names';
import { weatherIn } from './scenes';

/** One turn of a conversation, independent of the client. */
export interface Question {
  readonly model: string;
  readonly prompt: string;
  /** A PNG sent with the prompt. */
  readonly picture?: Buffer;
  /** Offers the weather tool. */
  readonly offersTool?: boolean;
  /** The tool calls of the model's last turn, each with its result. */
  readonly toolRound?: readonly { readonly call: ToolCall; readonly result: string }[];
  /** Asks for JSON of the schema of a city. */
  readonly wantsCity?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The parts of an answer that every client tells. */
export interface Reply {
  readonly text: string;
  /** 0 where the client was told none. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The answer of a client that leaves the conversation to its user. */
export interface Answer extends Reply {
  readonly ending: 'stop' | 'tool_calls' | 'other';
  readonly toolCalls: readonly ToolCall[];
}

/** A conversation in which the model called the weather tool and got the results. */
export interface ToolUse {
  readonly inputs: readonly unknown[];
  readonly text: string;
}

/** The contents of a client's typed error. */
export interface Failure {
  readonly status: number | undefined;
  readonly message: string;
  readonly code: unknown;
  readonly requestId: string | null | undefined;
}

export type Way = 'ask' | 'stream';

/** A client library behind a common interface; apart from that, as its users get it. */
export interface MatrixClient {
  ask(question: Question): Promise<Reply>;
  /** The same answer, streamed and assembled by the library; `onPiece` gets each piece of text as it arrives. */
  stream(question: Question, onPiece?: (text: string) => void): Promise<Reply>;
  /** Asks, runs the tools that the model calls, and goes on until it calls none. */
  useTool(question: Question, way: Way): Promise<ToolUse>;
  /** @throws `thrown` when it is none of the library's typed errors. */
  failureOf(thrown: unknown): Failure;
  /** The ids of the models that it lists. */
  models?(): Promise<readonly string[]>;
  countTokens?(question: Question): Promise<number>;
}

interface KnownFailure {
  readonly feature: FeatureName;
  readonly protocol: Protocol;
  /** Left out: over every upstream of the protocol. */
  readonly upstream?: string;
  readonly reason: string;
}

export interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface ClientUnderTest<C extends MatrixClient = MatrixClient> {
  readonly name: string;
  readonly language: 'Node.js' | 'Python';
  /** The package, as its registry and its manifest here name it. */
  readonly package: string;
  /** True where the package is no dependency of the project: `npm run test:clients` installs it. */
  readonly isApart?: boolean;
  readonly route: '/v1/chat/completions' | '/v1/messages' | '/v1/responses';
  /** Features that the client itself has not, each with the reason. */
  readonly lacks?: Readonly<Partial<Record<FeatureName, string>>>;
  /** Features that fail over some upstreams only. They are tried, so that a change shows. */
  readonly fails?: readonly KnownFailure[];
  /** The parts that its typed errors don't tell. */
  readonly errorsHide?: readonly ('code' | 'requestId')[];
  connect(settings: ClientSettings): C;
}

/** Over which protocols the calls of a route are served: only responses by an upstream of responses. */
const SERVED_OVER: Readonly<Record<ClientUnderTest['route'], readonly Protocol[]>> = {
  '/v1/chat/completions': ['openai', 'anthropic'],
  '/v1/messages': ['openai', 'anthropic'],
  '/v1/responses': ['openai', 'anthropic', 'responses'],
};

/** The protocols of an upstream over which calls of a client are served. */
export const protocolsFor = (
  { route }: ClientUnderTest,
  { protocols }: { readonly protocols: readonly Protocol[] },
) => protocols.filter((protocol) => SERVED_OVER[route].includes(protocol));

/** Why a client has not a feature over an upstream; null where it has. */
export function lackOf(
  { lacks, fails = [] }: ClientUnderTest,
  over: { readonly upstream: string; readonly protocol: Protocol },
  feature: FeatureName,
): { readonly reason: string; readonly isTried: boolean } | null {
  const reason = lacks?.[feature];
  if (reason !== undefined) return { reason, isTried: false };
  const known = fails.find(
    (failure) =>
      failure.feature === feature &&
      failure.protocol === over.protocol &&
      (failure.upstream ?? over.upstream) === over.upstream,
  );
  return known === undefined ? null : { reason: known.reason, isTried: true };
}

/** A client that gives its user one turn at a time. */
export abstract class TurnClient implements MatrixClient {
  abstract ask(question: Question): Promise<Answer>;
  abstract stream(question: Question, onPiece?: (text: string) => void): Promise<Answer>;
  abstract failureOf(thrown: unknown): Failure;

  async useTool(question: Question, way: Way): Promise<ToolUse> {
    const { ending, toolCalls } = await this[way]({ ...question, offersTool: true });
    if (ending !== 'tool_calls') throw new Error(`The first turn ended with ${ending}.`);
    if (new Set(toolCalls.map(({ id }) => id)).size < toolCalls.length)
      throw new Error('Two tool calls have the same id.');
    const inputs = toolCalls.map(({ input }) => input);
    const toolRound = toolCalls.map((call) => ({ call, result: weatherIn(call.input) }));
    const last = await this[way]({ ...question, offersTool: true, toolRound });
    if (last.ending !== 'stop') throw new Error(`The second turn ended with ${last.ending}.`);
    return { inputs, text: last.text };
  }
}

export const maxOutputTokens = 400;

/** Tool arguments arrive as text; an empty one stands for no arguments. */
export const inputOf = (json: string): unknown => JSON.parse(json === '' ? '{}' : json) as unknown;
