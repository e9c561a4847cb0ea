import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GenerativeOperation,
  parseCall,
  type ParsedCall,
  renderPlainAnswer,
  translateCall,
  translatedRelayForCall,
  translatePlainAnswer,
  untranslatable,
} from '../src';

const GOLDEN = join(__dirname, 'golden');
const createdAtSeconds = 1767225600;
const additions = { svc: { provider: 'acme' } };

/** Targets in the other protocol. */
const targets = {
  chat_completions: { upstreamModel: 'claude-sonnet-5', maxOutputTokens: 1024 },
  messages: { upstreamModel: 'gpt-5.1', maxOutputTokens: 1024 },
  responses: { upstreamModel: 'gpt-5.1', maxOutputTokens: 1024 },
};

interface GoldenCase {
  readonly operation: GenerativeOperation;
  /** The provider's operation, where more than one is possible. */
  readonly spoken?: GenerativeOperation;
  readonly call: unknown;
  readonly losses: readonly string[];
}
type GoldenCall = GoldenCase & { readonly upstream_call: unknown };
type GoldenAnswer = GoldenCase & {
  readonly upstream_answer: unknown;
  readonly answer: unknown;
  readonly usage: unknown;
};

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const jsonOf = (pieces: readonly Uint8Array[]): unknown => JSON.parse(Buffer.concat(pieces).toString());
const textOf = (...path: string[]): string => readFileSync(join(GOLDEN, ...path), 'utf8');
const casesIn = (folder: string): string[] => readdirSync(join(GOLDEN, folder));
const parsed = ({ operation, call }: GoldenCase): ParsedCall => parseCall(operation, bytesOf(call));

const factsOf = ({ spoken }: GoldenCase): Parameters<typeof translatedRelayForCall>[1] =>
  spoken === undefined ? { createdAtSeconds } : { createdAtSeconds, spoken };

describe('the golden calls', () => {
  it.each(casesIn('calls'))('%s', (file) => {
    const golden = JSON.parse(textOf('calls', file)) as GoldenCall;
    const { body, losses } = translateCall(parsed(golden), targets[golden.operation]);
    expect(jsonOf(body)).toEqual(golden.upstream_call);
    expect(losses.map(({ param }) => param)).toEqual(golden.losses);
    expect(untranslatable(parsed(golden), targets[golden.operation])).toEqual(losses);
  });
});

describe('the golden answers', () => {
  it.each(casesIn('answers'))('%s', (file) => {
    const golden = JSON.parse(textOf('answers', file)) as GoldenAnswer;
    const call = parsed(golden);
    const answer = translatePlainAnswer(call, bytesOf(golden.upstream_answer), factsOf(golden))!;
    expect(jsonOf(renderPlainAnswer(answer, { model: call.model, additions }))).toEqual(golden.answer);
    expect(answer.usage).toEqual(golden.usage);
    expect(answer.losses.map(({ param }) => param)).toEqual(golden.losses);
  });
});

describe('the golden streams', () => {
  it.each(casesIn('streams'))('%s', (folder) => {
    const golden = JSON.parse(textOf('streams', folder, 'call.json')) as GoldenCase;
    const relay = translatedRelayForCall(parsed(golden), factsOf(golden));
    const pieces = relay.push(Buffer.from(textOf('streams', folder, 'upstream.sse')));
    relay.end();
    expect(relay.state).toBe('complete');
    pieces.push(...relay.finish(additions));
    expect(Buffer.concat(pieces).toString()).toBe(textOf('streams', folder, 'caller.sse'));
    expect(relay.losses).toEqual([]);
  });
});
