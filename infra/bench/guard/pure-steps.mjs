// The pure computations of the edge for a plain call of 1 KB and a stream of 50 chunks, as steps, without a server.
import { createRequire } from 'node:module';
import { chatCall, requestBytes } from '../candidates/requests.mjs';
import { answers } from '../load/answers.mjs';
import { catalog } from '../machine/catalog.mjs';

const require = createRequire(new URL('../../../dist/', import.meta.url));
const { costOf, parseCatalog } = require('./libs/catalog/src/index.js');
const { holdFor, outputLimitCoveredBy } = require('./libs/ledger/src/index.js');
const { DEFAULT_POLICY, planRoute, routingCallOf, UNMEASURED } = require('./libs/policy/src/index.js');
const protocol = require('./libs/protocol/src/index.js');

const PORT = 1;
const HEAD_END = '\r\n\r\n';
const NOTHING_LOST = () => [];

const bodyOf = (bytes) => bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length);
const callBytes = (model) => {
  const { path, body } = chatCall(model, model === 'plain' ? {} : { stream: true });
  return bodyOf(requestBytes(path, {}, { model: `bench/${model}`, ...body }));
};
const plain = callBytes('plain');
const answer = bodyOf(answers.plain.bytes);
/** The frames alone, without the HTTP head and chunk sizes. */
const frames = answers['stream-50'].events.map((bytes) => {
  const text = bytes.toString();
  return Buffer.from(text.slice(text.indexOf('data: '), text.lastIndexOf('\n\n') + 2));
});

const models = parseCatalog(catalog(PORT), { file: 'bench.yaml', env: { BENCH_PROVIDER_KEY: 'key' } });
const parsed = protocol.parseCall('chat_completions', plain);
const parsedStream = protocol.parseCall('chat_completions', callBytes('stream-50'));
/** The provider's only credential. */
const choice = { tried: [{ key: 'env:bench/BENCH_PROVIDER_KEY', weight: 100 }], resting: [] };
const routing = {
  catalog: models,
  policy: DEFAULT_POLICY,
  hasPlatformCredential: () => true,
  hasOwnCredential: () => false,
  credentials: { choose: () => choice, now: () => 0 },
  openCircuits: new Set(),
  figuresOf: () => UNMEASURED,
};
const plan = planned();
const [{ endpoint }] = plan.attempts;
const facts = {
  promptTokensMax: parsed.promptTokensMax,
  outputTokensAsked: parsed.maxOutputTokens,
  modelMaxOutputTokens: plan.model.maxOutputTokens,
  choices: parsed.choices,
  prices: [endpoint.prices],
};
const { holdMax } = holdFor(facts);
const read = protocol.readPlainAnswer('chat_completions', answer);
const svc = { provider: 'plain', attempts: [], cost: { customer_nanos: 127500, state: 'final' } };

function planned() {
  return planRoute(routingCallOf(parsed, NOTHING_LOST), routing);
}

function relayed() {
  const relay = protocol.relayForCall(parsedStream);
  for (const frame of frames) relay.push(frame);
  return relay.finish({ svc });
}

/** By name; each does the work of one call. */
export const pureSteps = {
  'parse the call': () => protocol.parseCall('chat_completions', plain),
  'plan its route': planned,
  'price its hold': () => holdFor(facts),
  'limit its output': () => outputLimitCoveredBy(holdMax, facts),
  'write its body': () => protocol.upstreamBody(parsed, { upstreamModel: 'bench-1', maxOutputTokens: null }),
  'read its answer': () => protocol.readPlainAnswer('chat_completions', answer),
  'price its usage': () => costOf(read.usage, endpoint.prices),
  'write its answer': () =>
    protocol.renderPlainAnswer(read, { model: 'bench/plain', additions: { svc, warnings: [] } }),
  'relay 50 chunks': relayed,
};
