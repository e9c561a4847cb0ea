import { type Answer, type Usage } from '../answer/answer';
import { argumentPieces, wordPieces } from '../answer/pieces';
import { messageHead, messageUsage, SIGNATURE, stopReason, stopSequence, toolUseHead } from './write-message';

interface Block {
  readonly opening: object;
  readonly deltas: readonly object[];
}

/** `message_start` to `message_stop`, with cumulative usage, and one `ping` at the first block. */
export function* messageFrames(answer: Answer): Generator<string> {
  const { usage } = answer;
  yield event('message_start', {
    message: {
      ...messageHead(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...(usage === undefined ? {} : { usage: usageAtStart(usage) }),
    },
  });
  for (const [index, { opening, deltas }] of blocks(answer).entries()) {
    yield event('content_block_start', { index, content_block: opening });
    if (index === 0) yield event('ping', {});
    for (const delta of deltas) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: {
      stop_reason: stopReason(answer),
      stop_sequence: stopSequence(answer),
      stop_details: null,
      container: null,
    },
    ...(usage === undefined ? {} : { usage: usageAtEnd(usage) }),
  });
  yield event('message_stop', {});
}

/** An event has its type twice: some clients read the line, others the member. */
export function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

function blocks(answer: Answer): readonly Block[] {
  const spoken: Block[] = [];
  if (answer.thinking !== '') {
    const words = wordPieces(answer.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
    spoken.push({
      opening: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...words, { type: 'signature_delta', signature: SIGNATURE }],
    });
  }
  if (answer.text !== '') {
    spoken.push({
      opening: { type: 'text', text: '' },
      deltas: wordPieces(answer.text).map((text) => ({ type: 'text_delta', text })),
    });
  }
  for (const call of answer.toolCalls) {
    spoken.push({
      opening: { ...toolUseHead(call), input: {} },
      deltas: ['', ...argumentPieces(call.argumentsJson)].map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
    });
  }
  return spoken;
}

/** The first event already counts the first token. */
function usageAtStart(usage: Usage): object {
  return messageUsage({
    ...usage,
    outputTokenCount: Math.min(1, usage.outputTokenCount),
    thinkingTokenCount: 0,
  });
}

function usageAtEnd(usage: Usage): object {
  const {
    cache_creation: _creation,
    service_tier: _tier,
    inference_geo: _geo,
    speed: _speed,
    ...totals
  } = messageUsage(usage) as Record<string, unknown>;
  return totals;
}
