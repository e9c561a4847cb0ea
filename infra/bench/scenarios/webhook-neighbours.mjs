// The delay of webhooks to a thousand endpoints while one more endpoint is sent a backlog of half a million, and without a
// backlog. Measured from the creation of an event to its arrival at the receiver.
import { say } from '../../local/workspace.mjs';
import { summarise } from '../report/summary.mjs';
import { runSender } from '../webhooks/run-sender.mjs';
import { ratio } from './variant.mjs';

export const webhookNeighbours = {
  name: 'webhook-neighbours',
  title: 'Webhooks of a thousand endpoints, beside one with 500,000 waiting',
  baseline: 'idle',
  promises: (rows) => [
    { promise: 'p99 beside the backlog, of p99 without it', value: ratio(rows, 'busy', 'p99Ms'), atMost: 2 },
  ],
  async measure(world, { rounds, quick }) {
    const [seconds, waiting] = quick ? [3, 5_000] : [20, 500_000];
    const windows = {
      idle: { name: 'idle', label: 'nothing waiting', failure: null, rounds: [] },
      busy: {
        name: 'busy',
        label: `${waiting.toLocaleString('en')} waiting for one endpoint`,
        failure: null,
        rounds: [],
      },
    };
    const problems = [];
    let delays = [];
    await runSender(world, 'neighbours', [rounds, seconds, waiting], {
      onDelay: (delayMs) => delays.push(delayMs),
      onLine({ kind, window, expected, left }) {
        if (kind === 'begin') delays = [];
        if (kind === 'end' && left === 0) problems.push('the backlog was gone before the end');
        if (kind !== 'ended' || windows[window] === undefined) return;
        if (delays.length !== expected) problems.push(`${window}: ${delays.length} of ${expected} came`);
        windows[window].rounds.push(figuresOf(delays));
        say(`webhook-neighbours: ${window}, ${delays.length} deliveries`);
      },
    });
    return { rows: summarise(Object.values(windows), this.baseline), problems };
  },
};

function figuresOf(delays) {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
