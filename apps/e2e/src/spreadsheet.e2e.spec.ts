import { eventually } from '@svc/testing';
import { of } from './distributed/tenant';
import { post } from './harness/clients';
import { nodeClientsOfThisRun } from './harness/config';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { sheetJs } from './matrix/packages-apart';
import { callApi } from './oauth/oauth-app';

const HOSTILE = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '=HYPERLINK("https://evil.example","x")',
  'a;=1+1',
  '＝1+1',
];

const describeInstalled = nodeClientsOfThisRun === null ? describe.skip : describe;

describeInstalled('CSV in a program for tables', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });

  const formulasIn = (csv: string): readonly string[] => {
    const { Sheets: sheets } = sheetJs().read(csv, { type: 'string', cellFormula: true });
    return Object.values(sheets).flatMap((sheet) => Object.values(sheet).flatMap(({ f }) => f ?? []));
  };
  const api = (method: string, path: string, body?: object) =>
    callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body);

  it('runs no formula that a caller chose', async () => {
    for (const user of HOSTILE) {
      const messages = [{ role: 'user', content: 'Hello' }];
      expect(
        (await post(svc, '/v1/chat/completions', { model: 'simulator/echo', messages, user })).status,
      ).toBe(200);
    }
    await eventually(async () => {
      expect((await api('GET', '/requests?status=succeeded')).body.data).toHaveLength(HOSTILE.length);
    });
    const range = { start: new Date(Date.now() - 3_600_000).toISOString(), end: new Date().toISOString() };
    const asked = { kind: 'requests', format: 'csv', compression: 'none', ...range };
    const { id } = of(201, await api('POST', '/exports', asked));
    await eventually(async () => {
      expect((await api('GET', `/exports/${String(id)}`)).body.state).toBe('completed');
    }, 30_000);
    const { url } = of(200, await api('POST', `/exports/${String(id)}/download`));
    const csv = await (await fetch(url as string)).text();
    for (const user of HOSTILE.slice(0, 4)) expect(csv).toContain(`'${user}`);
    expect(formulasIn(csv)).toEqual([]);
    // It would, if the service had not written an apostrophe.
    expect(formulasIn('user\r\n=1+1\r\n')).toEqual(['1+1']);
  });
});
