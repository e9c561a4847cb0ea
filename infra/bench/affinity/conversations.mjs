// Conversations as coding agents have them: a long system text, and turns that each send all that was said before.
import { randomUUID } from 'node:crypto';
import { PRICES } from './catalog.mjs';

/** Characters; the simulator counts a token for four of them. */
const SYSTEM_LENGTH = 16_000;
const QUESTION_LENGTH = 1_200;
const ANSWER_WORDS = 75;
const IN_FLIGHT = 10;
const DIRECTIVE = `@simulator ${JSON.stringify({ prompt_cache: true, reply_words: ANSWER_WORDS })}`;

export const RECIPE =
  `Each conversation has a system text of its own (${SYSTEM_LENGTH / 4} tokens), questions of ${QUESTION_LENGTH / 4} tokens and answers of ` +
  `${ANSWER_WORDS} words; ${IN_FLIGHT} conversations are under way at a time. But for the one row that says so, no header and no field names a conversation.`;

/**
 * Has `sessions` conversations of `turns` turns, the turns of each one after the other.
 * @param candidate its `url`, `headers` and `model`; and `sessionHeader`, if any: the header that names the conversation.
 * @param name no other candidate has it.
 * @returns `cachedShare` of the prompt tokens, and `dollars` a session, at {@link PRICES}.
 * @throws Error for an answer of any other status than 200.
 */
export async function converse(candidate, name, { sessions, turns }) {
  const used = { prompt: 0, cached: 0, output: 0 };
  let next = 0;
  const haveSome = async () => {
    while (next < sessions) await haveOne(candidate, `${name}, conversation ${next++}`, turns, used);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, haveSome));
  const { prompt, cached, output } = used;
  const nanos = (prompt - cached) * PRICES.input + cached * PRICES.cached_input + output * PRICES.output;
  return { cachedShare: cached / prompt, dollars: nanos / 1e9 / sessions };
}

async function haveOne({ url, headers, model, sessionHeader }, name, turns, used) {
  const named = sessionHeader === undefined ? {} : { [sessionHeader]: randomUUID() };
  const messages = [{ role: 'system', content: `${name}.`.padEnd(SYSTEM_LENGTH, ' You are helpful.') }];
  for (let turn = 0; turn < turns; turn++) {
    const question = `${name} asks ${turn}.`.padEnd(QUESTION_LENGTH, ' Why?');
    messages.push({ role: 'user', content: `${question}\n${DIRECTIVE}` });
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...named },
      body: JSON.stringify({ model, messages }),
    });
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    const { usage, choices } = await answer.json();
    used.prompt += usage.prompt_tokens;
    used.cached += usage.prompt_tokens_details?.cached_tokens ?? 0;
    used.output += usage.completion_tokens;
    messages.push({ role: 'assistant', content: choices[0].message.content });
  }
}
