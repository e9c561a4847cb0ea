import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from './harness/app-process';
import { anthropicClient, openAiClient } from './harness/clients';
import { runUntilExit, startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const SHIPPED = join(workspaceRoot, 'config', 'catalog.yaml');
const MODEL = 'simulator/echo';
const messages = [{ role: 'user' as const, content: 'Hello' }];

describe('an alias of a second catalog file', () => {
  let folder: string;
  let svc: Svc;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const own = join(folder, 'own.yaml');
    await writeFile(own, `aliases: { fast: ${MODEL} }\n`);
    svc = await startSvc({ env: { SVC_CATALOG_FILE: `${SHIPPED},${own}` } });
  });
  afterAll(async () => {
    await svc.stop();
    await removeFolder(folder);
  });

  it('is a model for the OpenAI client, plain and streamed', async () => {
    const { chat, models } = openAiClient(svc);
    const answer = await chat.completions.create({ model: 'fast', messages });
    expect(answer.model).toBe('fast');
    const names = new Set<string>();
    for await (const chunk of await chat.completions.create({ model: 'fast', messages, stream: true })) {
      names.add(chunk.model);
    }
    expect([...names]).toEqual(['fast']);
    expect(await models.retrieve('fast')).toMatchObject({ id: 'fast', owned_by: 'simulator' });
  });

  it('is a model for the Anthropic client, plain, streamed and counted', async () => {
    const client = anthropicClient(svc);
    const call = { model: 'fast', max_tokens: 50, messages };
    expect((await client.messages.create(call)).model).toBe('fast');
    expect((await client.messages.stream(call).finalMessage()).model).toBe('fast');
    expect((await client.messages.countTokens({ model: 'fast', messages })).input_tokens).toBeGreaterThan(0);
    expect(await client.models.retrieve('fast')).toMatchObject({ id: 'fast', type: 'model' });
  });

  it('is recorded, and shown by the catalog, as its model', async () => {
    const read = async (path: string) =>
      (await fetch(svc.baseUrl + path, { headers: { authorization: `Bearer ${svc.apiKey}` } })).json();
    await openAiClient(svc).chat.completions.create({ model: 'fast', messages });
    const { data } = (await read('/api/v1/requests')) as { data: { model: string }[] };
    expect(new Set(data.map(({ model }) => model))).toEqual(new Set([MODEL]));
    expect(await read('/api/v1/catalog/models/fast')).toMatchObject({ id: MODEL, aliases: ['fast'] });
  });

  it('that is listed twice stops the start with both files', async () => {
    const [first, second] = [join(folder, 'first.yaml'), join(folder, 'second.yaml')];
    for (const file of [first, second]) await writeFile(file, `aliases: { smart: ${MODEL} }\n`);
    const { code, output } = await runUntilExit({ SVC_CATALOG_FILE: [SHIPPED, first, second].join(',') });
    expect(code).not.toBe(0);
    expect(output).toContain(`${second}:1: aliases.smart: is listed twice, also in ${first}`);
  });
});
