import { type AnswerAdditions } from '../answer/answer-additions';
import { type ParsedCall } from '../call/parse-call';
import { shortToolNames, type ToolNameForm } from '../call/tool-names';
import { decodeUtf8, encodeUtf8 } from '../json/byte-text';
import { type StreamRelay } from '../stream/stream-relay';
import { SplitNames } from './split-names';

/** Puts the caller's names of tools in place of the short ones that a provider was told. */
type Restore = (bytes: Uint8Array) => Uint8Array;

/** Null where the provider was told the caller's own names: then an answer passes as it is. */
function shortNames(
  { toolNames }: Pick<ParsedCall, 'toolNames'>,
  form: ToolNameForm,
): ReadonlyMap<string, string> | null {
  const short = toolNames.length === 0 ? null : shortToolNames(toolNames, form);
  return short === null || short.size === 0 ? null : short;
}

function restoring(short: ReadonlyMap<string, string>): Restore {
  // A whole JSON string: the same text inside of another string has its quotes escaped.
  const texts = [...short].map(([name, sent]) => [JSON.stringify(sent), JSON.stringify(name)] as const);
  return (bytes) => {
    const text = decodeUtf8(bytes);
    if (!texts.some(([sent]) => text.includes(sent))) return bytes;
    return encodeUtf8(texts.reduce((all, [sent, name]) => all.replaceAll(sent, () => name), text));
  };
}

/** A plain answer's bytes with the caller's own names of tools. `form`: the provider's. */
export function withCallersNames(call: ParsedCall, form: ToolNameForm, bytes: Uint8Array): Uint8Array {
  const short = shortNames(call, form);
  return short === null ? bytes : restoring(short)(bytes);
}

/** A relay that gives the caller's own names of tools. It gives out whole frames, so no name is cut. */
export function relayWithCallersNames(call: ParsedCall, form: ToolNameForm, relay: StreamRelay): StreamRelay {
  const short = shortNames(call, form);
  if (short === null) return relay;
  const asWritten = (names: Iterable<string>) => [...names].map((name) => JSON.stringify(name).slice(1, -1));
  const split = new SplitNames(asWritten(short.values()), asWritten(call.toolNames));
  return new RestoringRelay(relay, split, restoring(short));
}

class RestoringRelay implements StreamRelay {
  constructor(
    private readonly relay: StreamRelay,
    private readonly split: SplitNames,
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
    return this.relay.push(chunk).flatMap((frames) => {
      const text = decodeUtf8(frames);
      const joined = this.split.take(text);
      if (joined === '') return [];
      return [this.restore(joined === text ? frames : encodeUtf8(joined))];
    });
  }
  end(): void {
    this.relay.end();
  }
  finish(additions: AnswerAdditions): Uint8Array[] {
    const last = this.relay.finish(additions).map(decodeUtf8);
    return [this.restore(encodeUtf8(this.split.take(last.join('')) + this.split.rest()))];
  }
}
