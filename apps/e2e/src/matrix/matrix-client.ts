/** One turn of a conversation, independent of the client. */
export interface Question {
  readonly model: string;
  readonly prompt: string;
  /** A PNG sent with the prompt. */
  readonly picture?: Buffer;
  /** Offers the weather tool; `required` makes the model call it. */
  readonly weatherTool?: 'offered' | 'required';
  /** The tool calls of the model's last turn, each with its result. */
  readonly toolRound?: readonly { readonly call: ToolCall; readonly result: string }[];
  /** Asks for JSON of {@link citySchema}. */
  readonly wantsCity?: boolean;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface Answer {
  readonly text: string;
  readonly ending: 'stop' | 'tool_calls' | 'other';
  readonly toolCalls: readonly ToolCall[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The contents of a client's typed error. */
interface Failure {
  readonly status: number | undefined;
  readonly message: string;
  readonly code: unknown;
  readonly requestId: string | null | undefined;
}

/** A client library behind a common interface; apart from that, as its users get it. */
export interface MatrixClient {
  ask(question: Question): Promise<Answer>;
  /** The same answer, streamed and assembled by the library; `onPiece` gets each piece of text as it arrives. */
  stream(question: Question, onPiece?: (text: string) => void): Promise<Answer>;
  /** @throws `thrown` when it is none of the library's typed errors. */
  failureOf(thrown: unknown): Failure;
}

interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

export interface ClientUnderTest {
  readonly name: string;
  readonly route: '/v1/chat/completions' | '/v1/messages';
  connect(settings: ClientSettings): MatrixClient;
}

export const maxOutputTokens = 400;

export const weatherTool = {
  name: 'get_weather',
  description: 'The weather of a city',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const }, days: { type: 'integer' as const } },
    required: ['city', 'days'],
    additionalProperties: false,
  },
};

export const citySchema = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, people: { type: 'integer' as const } },
  required: ['name', 'people'],
  additionalProperties: false,
};

/** Tool arguments arrive as text; an empty one stands for no arguments. */
export const inputOf = (json: string): unknown => JSON.parse(json === '' ? '{}' : json) as unknown;
