import { FAILED, stopReasonIn } from '../answer/finish-reason';
import { parseByteJson } from '../json/byte-json';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { recordIn } from '../json/untyped';
import { MessageUsageReports } from '../usage/message-usage';
import { type TokenUsage } from '../usage/token-usage';
import { brokenOffAnswer, errorEventFailure } from './in-band-failure';
import { readSseFrame } from './sse-frame';
import { protocolViolation, type StreamFailure } from './stream-relay';

/** A frame of a messages stream. `comment` and `ping` say only that the provider is there. */
type MessageFrame =
  | { readonly kind: 'comment' | 'ping' | 'terminator' }
  | { readonly kind: 'failure'; readonly failure: StreamFailure }
  | { readonly kind: 'start'; readonly message: JsonRecord }
  | { readonly kind: 'block_start'; readonly index: unknown; readonly block: JsonRecord }
  | { readonly kind: 'block_delta'; readonly index: unknown; readonly delta: JsonRecord }
  | { readonly kind: 'block_stop'; readonly index: unknown };

/**
 * Reads the frames of a messages stream for the relays that translate it. Whatever compatible servers do differently is
 * made usual here: relays know Anthropic's protocol only.
 */
export class MessageStreamReader {
  readonly #reports = new MessageUsageReports();
  #ending: JsonRecord = {};
  #hasStarted = false;

  get usage(): TokenUsage | null {
    return this.#reports.usage;
  }

  /** True where the usage is that of the answer, not of its prompt alone. */
  get reportsAnswer(): boolean {
    return this.#reports.isWhole;
  }

  /** Why the message ended: the members of its `message_delta`s, with one of Anthropic's reasons. */
  get ending(): JsonRecord {
    return { ...this.#ending, stop_reason: stopReasonIn(this.#ending) };
  }

  read(frame: string): MessageFrame {
    const { event, data } = readSseFrame(frame);
    if (data === null) return NOTHING;
    if (event === 'error') return { kind: 'failure', failure: errorEventFailure(data) };
    const content = parseByteJson(data);
    if (content === null) return BROKEN;
    switch (event) {
      case 'ping':
        return { kind: 'ping' };
      case 'message_start':
        return this.#start(content['message']);
      case 'message_delta':
        return this.#takeEnding(content);
      case 'message_stop':
        return { kind: 'terminator' };
      default:
        return this.#hasStarted ? blockEvent(event, content) : BROKEN;
    }
  }

  #start(message: unknown): MessageFrame {
    if (!isRecord(message)) return BROKEN;
    this.#hasStarted = true;
    this.#reports.begin(message['usage']);
    return { kind: 'start', message };
  }

  #takeEnding(content: JsonRecord): MessageFrame {
    const { delta, usage } = content;
    if (!isRecord(delta)) return BROKEN;
    this.#reports.add(usage);
    // A reason is not taken back by a later event that has none.
    const stopReason = stopReasonIn(delta) ?? this.#ending['stop_reason'];
    this.#ending = { ...this.#ending, ...delta, stop_reason: stopReason };
    if (stopReason !== FAILED) return this.#hasStarted ? NOTHING : BROKEN;
    return { kind: 'failure', failure: brokenOffAnswer(content['error'] ?? delta['error']) };
  }
}

/** Events that no version of the protocol has yet are nothing to a caller of another one. */
function blockEvent(event: string, { index, content_block: block, delta }: JsonRecord): MessageFrame {
  switch (event) {
    case 'content_block_start':
      return { kind: 'block_start', index, block: recordIn(block) };
    case 'content_block_delta':
      return { kind: 'block_delta', index, delta: recordIn(delta) };
    case 'content_block_stop':
      return { kind: 'block_stop', index };
    default:
      return NOTHING;
  }
}

const NOTHING = { kind: 'comment' } as const;
const BROKEN = { kind: 'failure', failure: protocolViolation } as const;
