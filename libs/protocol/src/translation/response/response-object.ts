import { type JsonRecord } from '../../json/byte-text';

/** The call that a response answers. */
export interface AnsweredCall {
  /** The caller's name of the model. */
  readonly model: string;
  /** The caller's body. A response repeats most of it. */
  readonly body: JsonRecord;
  /** Seconds since 1970 UTC. */
  readonly createdAtSeconds: number;
}

/** Fields of a call that its response repeats, with the values that stand for left out ones. */
const REPEATED: Readonly<Record<string, unknown>> = {
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: null,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: null,
  truncation: 'disabled',
  user: null,
};

/** Fields that no call changes: responses are not stored, and run while their caller waits. */
const STATELESS = { background: false, error: null, previous_response_id: null, store: false } as const;

/** The members of a response that are the same from its beginning to its end. */
export function unchangingMembers({ body }: AnsweredCall): JsonRecord {
  const repeated = Object.entries(REPEATED).map(([name, absent]) => [name, body[name] ?? absent]);
  return { ...STATELESS, ...Object.fromEntries(repeated) };
}
