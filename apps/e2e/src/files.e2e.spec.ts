import { toFile, type OpenAI } from 'openai';
import OpenAI6, { toFile as toFile6 } from 'openai-6';
import { openAiClient } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const example = (content: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'Yes.' },
    ],
  })}\n`;
const TRAINING = Array.from({ length: 20 }, (_, at) => example(`Question ${String(at)}`)).join('');

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

describe.each([
  // The parts used here are the same in both; private fields make the two types incompatible.
  [
    '6',
    () => new OpenAI6({ baseURL: `${svc.baseUrl}/v1`, apiKey: svc.apiKey }) as unknown as OpenAI,
    toFile6 as unknown as typeof toFile,
  ],
  ['7', () => openAiClient(svc), toFile],
])('the official OpenAI client %s, with nothing changed but its address and key', (_, connect, made) => {
  const create = async (text: string) =>
    connect().files.create({ file: await made(Buffer.from(text), 'train.jsonl'), purpose: 'fine-tune' });

  it('uploads a file, waits for it, reads it back, lists and deletes it', async () => {
    const client = connect();
    const file = await create(TRAINING);
    expect(file).toMatchObject({
      object: 'file',
      filename: 'train.jsonl',
      purpose: 'fine-tune',
      bytes: TRAINING.length,
    });
    expect(await client.files.waitForProcessing(file.id)).toEqual(file);
    expect(await client.files.retrieve(file.id)).toEqual(file);
    expect(await (await client.files.content(file.id)).text()).toBe(TRAINING);

    const others = [await create(TRAINING), await create(TRAINING)];
    const listed: string[] = [];
    for await (const { id } of client.files.list({ limit: 1 })) listed.push(id);
    expect(listed).toEqual([...others.map(({ id }) => id).toReversed(), file.id]);

    for (const { id } of [file, ...others]) {
      expect(await client.files.delete(id)).toEqual({ id, object: 'file', deleted: true });
    }
    await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('is told which lines are wrong, and does not try again', async () => {
    const refused = await create(`${TRAINING}{"messages":[{"role":"poet"}]}\n`).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      status: 400,
      code: 'invalid_training_file',
      param: 'file',
      error: { details: [{ line: 21, param: 'messages[0].role' }] },
    });
  });
});

it('no log has anything of a file', async () => {
  const client = openAiClient(svc);
  const text = TRAINING.replaceAll('Question', 'Never in a log');
  const { id } = await client.files.create({
    file: await toFile(Buffer.from(text), 'secret-name.jsonl'),
    purpose: 'fine-tune',
  });
  await client.files
    .create({ file: await toFile(Buffer.from(`${text}x`), 'f'), purpose: 'fine-tune' })
    .catch(() => null);
  await client.files.delete(id);
  expect(svc.logs()).not.toMatch(/Never in a log|secret-name/);
});
