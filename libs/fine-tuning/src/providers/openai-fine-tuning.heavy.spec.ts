import { buildProjects } from '@svc/testing';
import { openFineTuningProvider } from './open-fine-tuning-provider';
import { SimulatorProcess } from './testing/simulator-process';

const ROUNDS = 10;
const PIECES = 600;
const PIECE = Buffer.from(
  `${JSON.stringify({
    messages: [
      { role: 'user', content: 'Where '.repeat(20_000) },
      { role: 'assistant', content: 'Let me look.' },
    ],
  })}\n`,
);
const FILE_BYTES = PIECE.length * PIECES;

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await SimulatorProcess.start(buildProjects);
});
afterAll(() => simulator.stop());

describe('files', () => {
  it('are read while they are sent: a large one is never whole in memory', async () => {
    const provider = await openFineTuningProvider({ provider: simulator.provider, secret: 'secret' });
    let most = 0;
    const content = async function* () {
      for (let at = 0; at < PIECES; at++) {
        most = Math.max(most, process.memoryUsage().rss);
        await Promise.resolve();
        yield PIECE;
      }
    };
    const upload = (round: number) =>
      provider.uploadFile({ name: `file_${String(round)}.jsonl`, bytes: FILE_BYTES, content });
    // Buffers of the process grow with the first files.
    for (let round = 0; round < 2; round++) await upload(round);
    const before = most;
    for (let round = 0; round < ROUNDS; round++) await upload(2 + round);
    // Not one of the ten.
    expect(most - before).toBeLessThan(FILE_BYTES);
  });
});
