// Streams at full speed, and at the pace of a provider.
import { chatCall, responseCall } from '../candidates/requests.mjs';
import { everyCandidate, figure, hiddenAtFixedRate, ratio, saturation } from './variant.mjs';

const STREAMS_PER_SECOND = 10;

/** Adds the frames besides the texts: the role, the end, the usage, `[DONE]`. */
const framesOf = (texts) => texts + 4;
const chatStream = (upstream) =>
  chatCall(upstream, { stream: true, stream_options: { include_usage: true } });

/** As fast as the upstream can write: measures the cost of a chunk. */
const saturated = ({ name, title, framesMin, connections, call }) => ({
  name,
  title,
  baseline: 'bare',
  // Saturated streams queue, so their added latency is that of the queue.
  hidden: ['addedP50Ms', 'addedP99Ms', 'firstByteP50Ms', 'addedFirstByteP50Ms', 'gapP50Ms', 'gapP99Ms'],
  framesMin,
  ...saturation,
  load: { ...saturation.load, connections },
  variants: () => everyCandidate(call),
  promises: (rows) => [
    {
      promise: 'a core’s chunks, of the bare proxy’s',
      value: ratio(rows, 'svc', 'framesPerCoreSecond'),
      atLeast: 0.7,
    },
  ],
});

const chatStreams = (texts, connections) =>
  saturated({
    name: `stream-${texts}`,
    title: `Streams of ${texts} chunks, as fast as they go`,
    framesMin: framesOf(texts),
    connections,
    call: chatStream(`stream-${texts}`),
  });

/** Served by a provider that speaks responses itself. */
const responseStreams = saturated({
  name: 'responses-50',
  title: 'Streams of responses of 50 texts, as fast as they go',
  // Four events before the texts, and four after them.
  framesMin: 58,
  connections: 64,
  call: responseCall('responses-50', { stream: true }),
});

/** A chunk every 4 ms: measures the added latency of the first, and the gaps between the others. */
const paced = {
  name: 'stream-500-paced',
  title: `Streams of 500 chunks, one every 4 ms, ${STREAMS_PER_SECOND} streams begun a second`,
  baseline: 'bare',
  hidden: [
    ...hiddenAtFixedRate,
    // A process that is idle between two chunks pays for each wake-up.
    ...['cpuMicros', 'frameMicros', 'postgresqlMicros', 'redisMicros'],
    ...['p50Ms', 'p99Ms', 'addedP50Ms', 'addedP99Ms'],
  ],
  framesMin: framesOf(500),
  load: { connections: 32, durationMs: 4000, ratePerSecond: STREAMS_PER_SECOND },
  quickLoad: { durationMs: 3000 },
  warmUp: { durationMs: 2000 },
  variants: () => everyCandidate(chatStream('paced-500')),
  promises: (rows) => [
    {
      promise: 'first byte later than direct, p50, ms',
      value: figure(rows, 'svc', 'addedFirstByteP50Ms'),
      atMost: 2,
    },
  ],
};

export const streamScenarios = [chatStreams(50, 64), chatStreams(500, 16), responseStreams, paced];
