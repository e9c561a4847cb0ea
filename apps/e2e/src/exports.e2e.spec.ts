import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventually } from '@svc/testing';
import { of } from './distributed/tenant';
import { catalogOf, testModel } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { storageOfThisRun } from './harness/config';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { callApi } from './oauth/oauth-app';

const PROMPT = 'A prompt that no export may have';

/** True where objects are in the data directory, where a spec can look. */
const isFolder = Object.keys(storageOfThisRun).length === 0;

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc({ catalog: (url) => catalogOf({ name: 'exported', url }) });
});

const api = (method: string, path: string, body?: object, apiKey = svc.apiKey) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, apiKey, body);
const range = () => ({
  start: new Date(Date.now() - 3_600_000).toISOString(),
  end: new Date().toISOString(),
});

/** The id of a completed export. */
async function completed(body: object): Promise<string> {
  const { id } = of(201, await api('POST', '/exports', body));
  await eventually(async () => {
    expect((await api('GET', `/exports/${String(id)}`)).body.state).toBe('completed');
  }, 30_000);
  return id as string;
}

async function linkTo(id: string): Promise<string> {
  return of(200, await api('POST', `/exports/${id}/download`)).url as string;
}

it('calls are exported, loaded down without a login, and are the rows of the API', async () => {
  for (let call = 0; call < 3; call++) {
    const body = { model: testModel, max_tokens: 10, user: '=1+1', messages: [directed({}, PROMPT)] };
    expect((await post(svc, '/v1/chat/completions', body)).status).toBe(200);
  }
  await eventually(async () => {
    expect((await api('GET', '/requests?status=succeeded')).body.data).toHaveLength(3);
  });

  const id = await completed({ kind: 'requests', format: 'jsonl', ...range() });
  const record = of(200, await api('GET', `/exports/${id}`));
  const answer = await fetch(await linkTo(id));
  expect(answer.status).toBe(200);
  const file = Buffer.from(await answer.arrayBuffer());
  expect(file).toHaveLength(record.bytes as number);
  expect(createHash('sha256').update(file).digest('hex')).toBe(record.sha256);
  const text = gunzipSync(file).toString();
  const rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string });
  const { data } = of(200, await api('GET', '/requests'));
  expect(rows).toEqual((data as { id: string }[]).toReversed());
  expect(text).not.toContain(PROMPT);

  const csv = await completed({ kind: 'requests', format: 'csv', compression: 'none', ...range() });
  const table = await (await fetch(await linkTo(csv))).text();
  expect(table.split('\r\n')).toHaveLength(5);
  expect(table).toContain(",'=1+1,");
});

it('a link that is forged, or whose export is deleted, gives nothing', async () => {
  const id = await completed({ kind: 'audit_log', format: 'csv' });
  const url = await linkTo(id);
  const part = await fetch(url, { headers: { range: 'bytes=0-9' } });
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  expect((await fetch(url.replace(/expires=\d/, 'expires=9'))).status).toBe(403);
  expect((await fetch(url.replace(/signature=.*/, ''))).status).toBe(403);
  expect((await api('DELETE', `/exports/${id}`)).status).toBe(204);
  expect((await fetch(url)).status).toBe(404);
  if (!isFolder) return;
  await eventually(async () => {
    expect(await readdir(join(svc.dataDir, 'objects/exports', svc.organizationId))).not.toContain(id);
  });
});

it('nothing of a file is in the store as it is', async () => {
  if (!isFolder) return;
  const id = await completed({ kind: 'audit_log', format: 'jsonl', compression: 'none' });
  const stored = await readFile(join(svc.dataDir, 'objects/exports', svc.organizationId, id));
  expect(stored.includes('export.create')).toBe(false);
});
