import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, ScriptedUpstream } from '@svc/testing';
import { catalogOf, testModel } from './harness/catalog-file';
import { post } from './harness/clients';
import { startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

/** The promised time (docs/configuration.md#secrets-in-files). */
const READ_AGAIN_WITHIN_MS = 30_000;

const call = { model: testModel, messages: [{ role: 'user', content: 'Hello' }] };
const answer = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
};

describe('secrets in files', () => {
  let folder: string;
  let upstream: ScriptedUpstream;
  let svc: Svc;
  beforeAll(async () => {
    folder = await temporaryFolder();
    upstream = await ScriptedUpstream.start();
    await writeFile(join(folder, 'key'), 'first-key-1234567890\n');
    await writeFile(join(folder, 'TEAM_SECRET'), 'first-team-1234567890\n');
    const { providers, ...others } = catalogOf({ name: 'acme', url: upstream.url });
    const own = { credential_env: 'ACME_API_KEY', headers: { 'x-team': '${TEAM_SECRET}' } };
    const catalog = join(folder, 'catalog.json');
    await writeFile(
      catalog,
      JSON.stringify({ ...others, providers: providers.map((provider) => ({ ...provider, ...own })) }),
    );
    const env = {
      SVC_CATALOG_FILE: catalog,
      ACME_API_KEY_FILE: join(folder, 'key'),
      SVC_SECRETS_DIR: folder,
    };
    svc = await startSvc({ env });
  });
  afterAll(async () => {
    await svc.stop();
    await upstream.close();
    await removeFolder(folder);
  });

  /** The credential and the header that a provider gets. */
  async function sent() {
    upstream.next((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    expect((await post(svc, '/v1/chat/completions', call)).status).toBe(200);
    const { authorization, 'x-team': team } = upstream.received.at(-1)!.headers;
    return [authorization, team];
  }

  it('reach the provider, and so do those that take their place, soon and without a restart', async () => {
    expect(await sent()).toEqual(['Bearer first-key-1234567890', 'first-team-1234567890']);
    await writeFile(join(folder, 'key'), 'second-key-1234567890\n');
    await writeFile(join(folder, 'TEAM_SECRET'), 'second-team-1234567890\n');
    await eventually(async () => {
      expect(await sent()).toEqual(['Bearer second-key-1234567890', 'second-team-1234567890']);
    }, READ_AGAIN_WITHIN_MS);
    expect(svc.logs()).not.toMatch(/(first|second)-(key|team)/);
  });
});
