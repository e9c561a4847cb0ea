import OpenAI, { toStreamingFile } from 'openai';
import { startSimulator, type Simulator } from '..';

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

describe('simulated fine-tuning, by the official OpenAI client', () => {
  let simulator: Simulator;
  let openai: OpenAI;
  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
    openai = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => simulator.close());

  it('keeps nothing of a large file', async () => {
    let most = 0;
    async function* content() {
      for (let at = 0; at < PIECES; at++) {
        most = Math.max(most, process.memoryUsage().rss);
        yield PIECE;
        await Promise.resolve();
      }
    }
    const upload = () =>
      openai.files.create({ file: toStreamingFile(content(), 'large.jsonl'), purpose: 'fine-tune' });
    // Buffers of the process grow with the first files.
    for (let round = 0; round < 2; round++) await upload();
    const before = most;
    for (let round = 0; round < ROUNDS; round++) expect((await upload()).bytes).toBe(FILE_BYTES);
    // A fifth of what it would keep.
    expect(most - before).toBeLessThan((ROUNDS * FILE_BYTES) / 5);
  });
});
