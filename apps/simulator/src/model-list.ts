import { CONTEXT_WINDOW_TOKENS } from './prompt/count-tokens';

const MADE_AT = new Date(Date.UTC(2026, 0, 1));
const MODEL_IDS = ['sim-small', 'sim-large'];

/** One object that the clients of both protocols can read. Calls may name any other model as well. */
export const modelList = {
  object: 'list',
  data: MODEL_IDS.map((id) => ({
    id,
    object: 'model',
    created: MADE_AT.getTime() / 1000,
    owned_by: 'svc-simulator',
    type: 'model',
    display_name: id,
    created_at: MADE_AT.toISOString(),
    max_input_tokens: CONTEXT_WINDOW_TOKENS,
    max_tokens: CONTEXT_WINDOW_TOKENS,
  })),
  has_more: false,
  first_id: MODEL_IDS.at(0),
  last_id: MODEL_IDS.at(-1),
};
