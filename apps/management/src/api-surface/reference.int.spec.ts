import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemIds } from '@svc/runtime';
import { populate, recordFile, recordTunedModel } from '../testing/surface/populated';
import { isOperators, openSurface, type Surface } from '../testing/surface/surface';

const run = promisify(execFile);
/** The catalog with all its endpoints is the largest answer. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** As examples of the document name it. */
const EXAMPLE_MODEL = 'ft-qwertyui/small-support-asdfgh';
const EXAMPLE_FILE = 'file_06dpm2q4x8k3c0v9r7t5w1hzny';

describe('the reference page', () => {
  let surface: Surface;
  let page: string;
  let headers: Headers;
  beforeAll(async () => {
    surface = await openSurface();
    const answer = await fetch(`${surface.management.url}/api/v1/docs`);
    headers = answer.headers;
    page = await answer.text();
  });
  afterAll(() => surface.close());

  /** The text of one route's section, as it is read. */
  const sectionOf = (operationId: string): string => {
    const id = operationId.replace(/InOrganization$/, '');
    const section = new RegExp(`<article id="${id}">([^]*?)</article>`).exec(page)?.[1] ?? '';
    return unescaped(section.replaceAll(/<[^>]*>/g, ''));
  };

  it('shows every operation with its path, its permission and its scope', () => {
    for (const { operationId, path, ...operation } of surface.document.operations) {
      const section = sectionOf(operationId);
      const shown = [path, operation['x-permission'], operation['x-oauth-scope']].filter(
        (text) => text != null,
      );
      expect([operationId, shown.filter((text) => !section.includes(text))]).toEqual([operationId, []]);
    }
  });

  it('links to nothing that it does not have', () => {
    const named = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const ids = new Set(named);
    expect(ids.size).toBe(named.length);
    const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
    expect(links.length).toBeGreaterThan(100);
  });

  it('loads nothing and runs nothing', () => {
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
    expect(page).not.toMatch(/<script|<link|<img|<iframe|@import|url\(| on\w+=| style=/);
  });

  it('has calls that work when they are pasted', async () => {
    const ours = await populate(surface);
    const { id: operated } = await surface.management.newOrganization();
    const { database } = surface.management;
    await recordFile(database, ours.organization, EXAMPLE_FILE);
    await recordTunedModel(database, ours.organization, EXAMPLE_MODEL);
    const tuned = await recordTunedModel(database, ours.organization);
    // Whose password the examples reset.
    await database.prisma.user.create({ data: { id: systemIds('user'), email: 'ada@example.com' } });
    const leaver = await surface.management.withSession(ours.organization, 'viewer');
    const approver = await surface.management.withSession(ours.organization, 'owner');
    const home = await mkdtemp(join(tmpdir(), 'svc-curl-'));
    const { host } = new URL(surface.management.url);
    await writeFile(
      join(home, '.curlrc'),
      `connect-to = "svc.example:80:${host}"\nwrite-out = "\\n%{http_code}"\n`,
    );
    const variables = Object.fromEntries(
      Object.entries(ours.ids).map(([name, id]) => [name.toUpperCase(), id]),
    );
    const failed: string[] = [];
    for (const { operationId, path } of inOrderOfHarm(surface)) {
      const [, command = ''] =
        /<figcaption>Call<\/figcaption>\s*<pre><code>([^]*?)<\/code>/.exec(
          sectionMarkup(page, operationId),
        ) ?? [];
      const session = operationId === 'leaveOrganization' ? leaver : approver;
      const { stdout } = await run('sh', ['-c', unescaped(command)], {
        maxBuffer: ANSWER_BYTES_MAX,
        env: {
          ...variables,
          ...(path.startsWith('/platform/') && operationId !== 'disableApprovalPolicy'
            ? { ORGANIZATION_ID: operated }
            : {}),
          ...(operationId === 'leaveOrganization' ? { MEMBER_ID: leaver.memberId } : {}),
          MODEL_ID: encodeURIComponent(
            operationId === 'deleteFineTunedModel' ? tuned : (variables['MODEL_ID'] ?? ''),
          ),
          POLICY_ID: ours.ids[path.replace(/\{policy_id\}.*/, '')] ?? variables['POLICY_ID'],
          SVC_API_KEY: ours.owner.headers['authorization']?.replace('Bearer ', ''),
          SVC_SESSION: session.headers['cookie']?.replace('svc_session=', ''),
          SVC_CSRF_TOKEN: session.headers['x-csrf-token'],
          SVC_PLATFORM_TOKEN: surface.management.platformToken,
          CURL_HOME: home,
          PATH: process.env['PATH'],
        },
      });
      // An earlier call may have caused a state that forbids this one. A change of an approval policy waits for it.
      if (!/\n(2\d\d|409)$|"approval_required"/.test(stdout))
        failed.push(`${operationId}: ${command} ${stdout}`);
    }
    await rm(home, { recursive: true });
    expect(failed).toEqual([]);
  });
});

const sectionMarkup = (page: string, id: string): string =>
  new RegExp(`<article id="${id}">([^]*?)</article>`).exec(page)?.[1] ?? '';

/**
 * Reads come first and deletions last. The operator's calls come after all, because they may suspend an organization.
 */
function inOrderOfHarm({ document }: Surface) {
  const order = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'];
  return document.operations
    .filter(({ operationId }) => !operationId.endsWith('InOrganization'))
    .sort((left, right) => order.indexOf(left.method) - order.indexOf(right.method))
    .sort((left, right) => Number(isOperators(left)) - Number(isOperators(right)));
}
