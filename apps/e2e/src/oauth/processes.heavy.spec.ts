import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { startSvc, type Svc } from '../harness/svc-process';
import { removeFolder, temporaryFolder } from '../harness/temporary-folder';
import { AppClient, tokensIn } from './app-client';
import { MemberBrowser } from './member-browser';
import { callApi, registerApp, type ApiAnswer, type RegisteredApp } from './oauth-app';

/** Routes of each service that the scopes of the specs open. */
const OPEN = [
  ['GET', '/api/v1/oauth/userinfo'],
  ['GET', '/api/v1/projects'],
] as const;

let dataDir: string;
let first: Svc;
let second: Svc;
/** The URL of the second process; tokens are issued for the URL of the first. */
let elsewhere: string;
let member: MemberBrowser;
let app: RegisteredApp;
let client: AppClient;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  first = await startSvc({ dataDir });
  const port = String(await freePort());
  elsewhere = `http://localhost:${port}`;
  second = await startSvc({
    env: {
      SVC_PORT: port,
      SVC_BASE_URL: first.baseUrl,
      SVC_DATABASE_URL: await readFile(join(dataDir, 'database-url'), 'utf8'),
      SVC_MASTER_KEY: await readFile(join(dataDir, 'master-key'), 'utf8'),
      SVC_PLATFORM_TOKEN: first.platformToken ?? '',
    },
  });
  member = await MemberBrowser.loggedIn(first);
});
beforeEach(async () => {
  app = await registerApp(first, 'confidential');
  client = new AppClient(app, first.baseUrl);
});
afterAll(async () => {
  await second.stop();
  await first.stop();
  await removeFolder(dataDir);
});

const newTokens = async () => tokensIn(await client.exchange(await client.newCode(member), first.baseUrl));
const endOf = ({ status, body }: ApiAnswer) => (status < 300 ? 'ok' : `${String(status)} ${body.error.code}`);
const infer = (at: string, access: string) =>
  callApi(at, 'POST', '/v1/chat/completions', access, {
    model: 'simulator/echo',
    messages: [{ role: 'user', content: 'Hello' }],
  });
/** How the next call ends on every service, in both processes. */
async function endsEverywhere(access: string): Promise<string[]> {
  const calls = [first.baseUrl, elsewhere].flatMap((at) => [
    ...OPEN.map(([method, path]) => callApi(at, method, path, access)),
    infer(at, access),
  ]);
  return (await Promise.all(calls)).map(endOf);
}
const grantOfApp = async () => (await member.grants()).find((grant) => grant.app.id === app.id)?.id ?? '';

it('85 a token of one process opens the management API of both, and inference of neither', async () => {
  const { access } = await newTokens();
  const each = ['ok', 'ok', '403 insufficient_scope'];
  expect(await endsEverywhere(access)).toEqual([...each, ...each]);
});

it('69 a revoked grant fails the very next call on every service, in both processes', async () => {
  for (let round = 0; round < 40; round++) {
    const { access, refresh } = await newTokens();
    expect(endOf(await callApi(elsewhere, 'GET', '/api/v1/projects', access))).toBe('ok');
    expect(await member.revokeGrant(await grantOfApp())).toBe(200);
    expect(new Set(await endsEverywhere(access))).toEqual(new Set(['401 token_revoked']));
    expect(endOf(await client.refresh(refresh, elsewhere))).toBe('400 invalid_grant');
  }
});

it('69 calls in flight while a grant is revoked never succeed after the answer', async () => {
  for (let round = 0; round < 10; round++) {
    const { access } = await newTokens();
    const grantId = await grantOfApp();
    let isRevoked = false;
    const late: string[] = [];
    const calling = [first.baseUrl, elsewhere, elsewhere].map(async (at) => {
      while (late.length < 30) {
        const isLate = isRevoked;
        const end = endOf(await callApi(at, 'GET', '/api/v1/projects', access));
        if (isLate) late.push(end);
      }
    });
    expect(await member.revokeGrant(grantId)).toBe(200);
    isRevoked = true;
    await Promise.all(calling);
    expect(new Set(late)).toEqual(new Set(['401 token_revoked']));
  }
});

it('69 a revoked app fails the very next call, too', async () => {
  const { access } = await newTokens();
  const path = `/api/v1/oauth-apps/${app.id}`;
  expect((await callApi(elsewhere, 'DELETE', path, first.apiKey)).status).toBe(204);
  expect(new Set(await endsEverywhere(access))).toEqual(new Set(['401 token_revoked']));
});

it('41 of two exchanges in two processes at once one succeeds, and the replay ends its tokens', async () => {
  for (let round = 0; round < 30; round++) {
    const code = await client.newCode(member);
    const answers = await Promise.all([
      client.exchange(code, first.baseUrl),
      client.exchange(code, elsewhere),
    ]);
    expect(answers.map(endOf).sort()).toEqual(['400 invalid_grant', 'ok']);
    const { access } = tokensIn(answers.find(({ status }) => status === 200)!);
    expect(endOf(await callApi(first.baseUrl, 'GET', '/api/v1/projects', access))).toBe('401 token_revoked');
  }
});

it('59 of two refreshes in two processes at once one succeeds, and the reuse ends every token', async () => {
  for (let round = 0; round < 30; round++) {
    const before = await newTokens();
    const answers = await Promise.all([
      client.refresh(before.refresh, first.baseUrl),
      client.refresh(before.refresh, elsewhere),
    ]);
    expect(answers.map(endOf).sort()).toEqual(['400 invalid_grant', 'ok']);
    const after = tokensIn(answers.find(({ status }) => status === 200)!);
    for (const { access } of [before, after]) {
      expect(endOf(await callApi(elsewhere, 'GET', '/api/v1/projects', access))).toBe('401 token_revoked');
    }
  }
});

it('80 a key that one process rotates is published by the other at once, and every token stays valid', async () => {
  const keyIds = async (at: string): Promise<string[]> => {
    const { keys } = (await (await fetch(`${at}/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid).sort();
  };
  const before = await keyIds(first.baseUrl);
  const { access } = await newTokens();
  const path = '/platform/v1/signing-keys/rotate';
  expect((await callApi(elsewhere, 'POST', path, first.platformToken ?? '')).status).toBe(200);
  expect(await keyIds(first.baseUrl)).toEqual(await keyIds(elsewhere));
  expect(await keyIds(first.baseUrl)).toHaveLength(before.length + 1);
  for (const at of [first.baseUrl, elsewhere]) {
    expect(endOf(await callApi(at, 'GET', '/api/v1/projects', access))).toBe('ok');
  }
});
