import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ScriptedUpstream } from '@svc/testing';
import { catalogOf, testModel } from './harness/catalog-file';
import { openAiClient } from './harness/clients';
import { startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const SECRET = 'azure-secret-1234567890';
const call = { model: testModel, messages: [{ role: 'user' as const, content: 'Hello' }] };
const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
const chunk = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'deployed', choices: [{ index: 0, ...choice }], ...more })}\n\n`;
/** The usage stands in the last chunk of the choice, as compatible servers have it. */
const STREAM =
  chunk({ delta: { role: 'assistant', content: 'Hi' } }) +
  chunk({ delta: {}, finish_reason: 'stop' }, { usage }) +
  'data: [DONE]\n\n';

describe('an upstream with a header for its key, headers and a query', () => {
  let folder: string;
  let upstream: ScriptedUpstream;
  let svc: Svc;
  beforeAll(async () => {
    folder = await temporaryFolder();
    upstream = await ScriptedUpstream.start();
    const { providers, models, endpoints } = catalogOf({ name: 'azure', url: upstream.url });
    const own = {
      credential_env: 'AZURE_API_KEY',
      credential_header: 'api-key',
      headers: { 'x-team': '${TEAM}' },
      query: { 'api-version': '2024-10-21' },
    };
    const files = {
      'providers.yaml': {
        providers: providers.map((provider) => ({ ...provider, ...own })),
        models,
        endpoints: [],
      },
      'endpoints.yaml': { endpoints },
    };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(folder, name), JSON.stringify(content));
    }
    const paths = Object.keys(files).map((name) => join(folder, name));
    svc = await startSvc({
      env: { SVC_CATALOG_FILE: paths.join(','), AZURE_API_KEY: SECRET, TEAM: 'search' },
    });
  });
  afterAll(async () => {
    await svc.stop();
    await upstream.close();
    await removeFolder(folder);
  });

  it('gets all of them, and the OpenAI client its answer', async () => {
    upstream.next((_, response) => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
      const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'deployed', choices, usage };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const answer = await openAiClient(svc).chat.completions.create(call);
    expect(answer.choices[0]?.message.content).toBe('Hi');
    const [received] = upstream.received;
    expect(received).toMatchObject({ path: '/v1/chat/completions?api-version=2024-10-21' });
    expect(received?.headers).toMatchObject({ 'api-key': SECRET, 'x-team': 'search' });
    expect(received?.headers.authorization).toBeUndefined();
    expect(svc.logs()).not.toContain(SECRET);
  });

  it('that puts its usage into the last chunk shows none to a client that did not ask', async () => {
    const usagesOf = async (options: object) => {
      upstream.next((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM);
      });
      const seen = [];
      const stream = await openAiClient(svc).chat.completions.create({ ...call, ...options, stream: true });
      for await (const { usage: reported } of stream) if (reported != null) seen.push(reported);
      return seen;
    };
    expect(await usagesOf({})).toEqual([]);
    expect(await usagesOf({ stream_options: { include_usage: true } })).toEqual([usage]);
  });
});
