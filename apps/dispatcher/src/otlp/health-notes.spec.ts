import { createLogger } from '@svc/runtime/observability';
import { HealthNotes } from './health-notes';

let nowMs = 0;
const written: string[] = [];
let fails = false;
const notes = new HealthNotes({
  health: {
    noteOutcome: (_, outcome) => {
      if (fails) return Promise.reject(new Error('the database is away'));
      written.push(outcome);
      return Promise.resolve(false);
    },
  },
  logger: createLogger({ service: 'health-spec', level: 'silent' }),
  nowMs: () => nowMs,
});
beforeEach(() => {
  nowMs += 1_000_000;
  fails = false;
  written.length = 0;
});

it('successes in a row are written once a minute', async () => {
  for (const afterMs of [0, 1_000, 59_000, 60_000]) {
    nowMs = 10_000_000 + afterMs;
    await notes.note('int_1', 'acknowledged');
  }
  expect(written).toHaveLength(2);
});

it('every failure is written, and so is the success after it', async () => {
  for (const outcome of ['acknowledged', 'failed', 'failed', 'acknowledged'] as const) {
    await notes.note('int_2', outcome);
  }
  expect(written).toEqual(['acknowledged', 'failed', 'failed', 'acknowledged']);
});

it('a success that could not be written is written with the next one', async () => {
  fails = true;
  await notes.note('int_3', 'acknowledged');
  fails = false;
  await notes.note('int_3', 'acknowledged');
  expect(written).toEqual(['acknowledged']);
});
