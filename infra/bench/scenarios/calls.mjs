// Plain calls: short and long, few and many callers, and the added latency.
import { chatCall, embeddingCall } from '../candidates/requests.mjs';
import { everyCandidate, figure, hiddenAtFixedRate, ratio, saturation, variant } from './variant.mjs';

const short = chatCall('plain');
/** Long enough for the engine to compile all hot code of all candidates: real processes run for days. */
const untilWarm = { connections: 64, durationMs: 10_000 };

const plain1kb = {
  name: 'plain-1kb',
  title: 'Plain calls of 1 KB',
  baseline: 'bare',
  ...saturation,
  variants: () => everyCandidate(short, { first: untilWarm }),
  promises: (rows) => [
    {
      promise: 'a core’s calls, of the bare proxy’s',
      value: ratio(rows, 'svc', 'callsPerCoreSecond'),
      atLeast: 0.5,
    },
    {
      promise: 'a core’s calls, of @portkey-ai/gateway’s',
      value: ratio(rows, 'svc', 'callsPerCoreSecond') / ratio(rows, 'portkey', 'callsPerCoreSecond'),
      atLeast: 8,
    },
  ],
};

const prompt100kb = {
  name: 'prompt-100kb',
  title: 'Prompts of 100 KB',
  baseline: 'bare',
  ...saturation,
  variants: () => {
    const long = chatCall('plain', { bytes: 100 * 1024 });
    return everyCandidate(long);
  },
};

const embeddings = {
  name: 'embeddings',
  title: 'Embeddings: a text of 1 KB, a vector of 1,536 numbers',
  baseline: 'bare',
  ...saturation,
  variants: () => everyCandidate(embeddingCall('embeddings')),
  promises: (rows) => [
    {
      promise: 'a core’s calls, of the bare proxy’s',
      value: ratio(rows, 'svc', 'callsPerCoreSecond'),
      atLeast: 0.5,
    },
  ],
};

const connections = [1, 64, 512].map((count) => ({
  name: `connections-${count}`,
  title: count === 1 ? 'One connection' : `${count} connections`,
  baseline: 'bare',
  ...saturation,
  load: { ...saturation.load, connections: count },
  variants: () => ['bare', 'svc'].map((candidate) => variant(candidate, short)),
}));

const latency200 = {
  name: 'latency-200',
  title: 'Latency at a steady 200 calls a second',
  baseline: 'bare',
  hidden: hiddenAtFixedRate,
  load: { connections: 32, durationMs: 4000, ratePerSecond: 200 },
  warmUp: { durationMs: 1500 },
  variants: () => everyCandidate(short),
  promises: (rows) => [
    { promise: 'added p50, ms', value: figure(rows, 'svc', 'addedP50Ms'), atMost: 1.5 },
    { promise: 'added p99, ms', value: figure(rows, 'svc', 'addedP99Ms'), atMost: 5 },
    { promise: 'CPU of a call, of the bare proxy’s', value: ratio(rows, 'svc', 'cpuMicros'), atMost: 1.6 },
  ],
};

export const callScenarios = [plain1kb, latency200, prompt100kb, embeddings, ...connections];
