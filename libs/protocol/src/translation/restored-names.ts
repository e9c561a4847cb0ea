import { type AnswerAdditions } from '../answer/answer-additions';
import { type ParsedCall } from '../call/parse-call';
import { shortToolNames, type ToolNameForm } from '../call/tool-names';
import { decodeUtf8, encodeUtf8 } from '../json/byte-text';
import { type StreamRelay } from '../stream/stream-relay';

/** Puts the caller's names of tools in place of the short ones that a provider was told. */
type Restore = (bytes: Uint8Array) => Uint8Array;

/** Null where the provider was told the caller's own names: then an answer passes as it is. */
function restoring({ toolNames }: Pick<ParsedCall, 'toolNames'>, form: ToolNameForm): Restore | null {
  if (toolNames.length === 0) return null;
  const short = shortToolNames(toolNames, form);
  if (short.size === 0) return null;
  // A whole JSON string: the same text inside of another string has its quotes escaped.
  const texts = [...short].map(([name, sent]) => [JSON.stringify(sent), JSON.stringify(name)] as const);
  return (bytes) => {
    const text = decodeUtf8(bytes);
    if (!texts.some(([sent]) => text.includes(sent))) return bytes;
    return encodeUtf8(texts.reduce((all, [sent, name]) => all.replaceAll(sent, () => name), text));
  };
}

/** A plain answer's bytes with the caller's own names of tools. `form`: the provider's. */
export const withCallersNames = (call: ParsedCall, form: ToolNameForm, bytes: Uint8Array): Uint8Array =>
  restoring(call, form)?.(bytes) ?? bytes;

/** A relay that gives the caller's own names of tools. It gives out whole frames, so no name is cut. */
export function relayWithCallersNames(call: ParsedCall, form: ToolNameForm, relay: StreamRelay): StreamRelay {
  const restore = restoring(call, form);
  return restore === null ? relay : new RestoringRelay(relay, restore);
}

class RestoringRelay implements StreamRelay {
  constructor(
    private readonly relay: StreamRelay,
    private readonly restore: Restore,
  ) {}

  get state() {
    return this.relay.state;
  }
  get failure() {
    return this.relay.failure;
  }
  get started() {
    return this.relay.started;
  }
  get usage() {
    return this.relay.usage;
  }
  get reportedSoFar() {
    return this.relay.reportedSoFar;
  }
  get outputBytes() {
    return this.relay.outputBytes;
  }
  get keptOutput() {
    return this.relay.keptOutput;
  }
  get losses() {
    return this.relay.losses;
  }
  nextSequenceNumber(): number {
    return this.relay.nextSequenceNumber();
  }
  keepOutput(): void {
    this.relay.keepOutput();
  }
  push(chunk: Uint8Array): Uint8Array[] {
    return this.relay.push(chunk).map(this.restore);
  }
  end(): void {
    this.relay.end();
  }
  finish(additions: AnswerAdditions): Uint8Array[] {
    return this.relay.finish(additions).map(this.restore);
  }
}
