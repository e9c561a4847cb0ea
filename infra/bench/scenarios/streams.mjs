// Streams: as fast as they go, and at the pace of a provider.
import { chatCall } from '../candidates/requests.mjs';
import { everyCandidate, figure, hiddenAtFixedRate, ratio, saturation } from './variant.mjs';

const STREAMS_PER_SECOND = 10;

/** Frames beside the texts: the role, the end, the usage, `[DONE]`. */
const framesOf = (texts) => texts + 4;
const call = (upstream) => chatCall(upstream, { stream: true, stream_options: { include_usage: true } });

/** As fast as the upstream can write them: what a chunk costs. */
const saturated = (texts, connections) => ({
  name: `stream-${texts}`,
  title: `Streams of ${texts} chunks, as fast as they go`,
  yardstick: 'bare',
  // Every stream waits for its turn: what it adds to the first byte is the queue's.
  hidden: ['addedP50Ms', 'addedP99Ms', 'firstByteP50Ms', 'addedFirstByteP50Ms', 'gapP50Ms', 'gapP99Ms'],
  framesMin: framesOf(texts),
  ...saturation,
  load: { ...saturation.load, connections },
  variants: () => everyCandidate(call(`stream-${texts}`)),
  promises: (rows) => [
    {
      promise: 'a core’s chunks, of the bare proxy’s',
      value: ratio(rows, 'svc', 'framesPerCoreSecond'),
      atLeast: 0.7,
    },
  ],
});

/** A chunk every 4 ms: how much later the first comes, and how unevenly the others do. */
const paced = {
  name: 'stream-500-paced',
  title: `Streams of 500 chunks, one every 4 ms, ${STREAMS_PER_SECOND} streams begun a second`,
  yardstick: 'bare',
  hidden: [...hiddenAtFixedRate, 'p50Ms', 'p99Ms', 'addedP50Ms', 'addedP99Ms'],
  framesMin: framesOf(500),
  load: { connections: 32, durationMs: 4000, ratePerSecond: STREAMS_PER_SECOND },
  quickLoad: { durationMs: 3000 },
  warmUp: { durationMs: 2000 },
  variants: () => everyCandidate(call('paced-500')),
  promises: (rows) => [
    {
      promise: 'first byte later than direct, p50, ms',
      value: figure(rows, 'svc', 'addedFirstByteP50Ms'),
      atMost: 2,
    },
  ],
};

export const streamScenarios = [saturated(50, 64), saturated(500, 16), paced];
