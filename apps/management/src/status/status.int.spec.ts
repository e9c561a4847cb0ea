import { FakeClock } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const MINUTE_MS = 60_000;

interface Summary {
  readonly status: object;
  readonly components: readonly { readonly id: string; readonly status: string }[];
  readonly incidents: readonly object[];
}

describe('the status', () => {
  let management: ManagementUnderTest;
  let operator: Client;
  const clock = new FakeClock(Date.parse('2026-11-23T12:00:00Z'));

  beforeAll(async () => {
    management = await startManagement({ clock, statusPage: true });
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
  });
  afterAll(() => management.close());
  // Another minute, for which no answers are counted and nothing is cached.
  beforeEach(() => {
    clock.advance(MINUTE_MS);
  });

  const visit = async (path: string) => {
    const response = await fetch(management.url + path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const summary = async () => JSON.parse((await visit('/status/summary.json')).text) as Summary;
  const open = async (fields: object = {}): Promise<string> => {
    const { status, body } = await operator.post('/platform/v1/incidents', {
      title: 'Slow answers',
      message: 'We look into it.',
      severity: 'major',
      components: ['inference'],
      audience: 'all',
      ...fields,
    });
    expect(status).toBe(201);
    return body.id as string;
  };
  const update = (id: string, body: object) =>
    operator.post(`/platform/v1/incidents/${id}/updates`, { message: 'It goes on.', ...body });

  it('is that all is well, where nothing is wrong', async () => {
    expect(await summary()).toEqual({
      page: {
        id: 'svc',
        name: 'Svc',
        url: 'https://svc.example/status',
        time_zone: 'Etc/UTC',
        updated_at: new Date(clock.now()).toISOString(),
      },
      status: { indicator: 'none', description: 'All Systems Operational' },
      components: ['inference', 'management', 'webhooks', 'oauth'].map((id, at) =>
        expect.objectContaining({ id, status: 'operational', position: at + 1 }),
      ),
      incidents: [],
      scheduled_maintenances: [],
    });
    expect((await visit('/status')).text).toContain('No incidents ended in the last 90 days.');
  });

  it('has the open incidents in the shape of Statuspage, and the worst of them as its indicator', async () => {
    const minor = await open({ severity: 'minor', components: ['payments'] });
    clock.advance(1_000);
    const id = await open();
    clock.advance(1_000);
    await update(id, { state: 'monitoring' });
    clock.advance(MINUTE_MS);
    const { status, components, incidents } = await summary();
    expect(status).toEqual({ indicator: 'major', description: 'Partial System Outage' });
    expect(components.map((each) => [each.id, each.status])).toEqual([
      ['inference', 'partial_outage'],
      ['management', 'operational'],
      ['webhooks', 'operational'],
      ['oauth', 'operational'],
      ['payments', 'degraded_performance'],
    ]);
    expect(incidents).toMatchObject([
      {
        id,
        name: 'Slow answers',
        status: 'monitoring',
        impact: 'major',
        monitoring_at: expect.any(String),
        resolved_at: null,
        shortlink: `https://svc.example/status#${id}`,
        components: [{ id: 'inference' }],
        incident_updates: [
          { id: `${id}-2`, status: 'monitoring', body: 'It goes on.', incident_id: id },
          { id: `${id}-1`, status: 'investigating', body: 'We look into it.' },
        ],
      },
      { id: minor, impact: 'minor' },
    ]);
    for (const each of [id, minor]) await update(each, { state: 'resolved' });
    clock.advance(MINUTE_MS);
    expect(await summary()).toMatchObject({ status: { indicator: 'none' }, incidents: [] });
    expect((await visit('/status')).text).toContain('Slow answers');
  });

  it('forgets incidents 90 days after their end', async () => {
    const id = await open({ title: 'Long ago' });
    await update(id, { state: 'resolved' });
    clock.advance(90 * 86_400_000);
    expect((await visit('/status')).text).toContain('Long ago');
    clock.advance(MINUTE_MS);
    expect((await visit('/status')).text).not.toContain('Long ago');
  });

  it('shows no incident of certain organizations, and no name of one', async () => {
    const { id } = await management.newOrganization();
    const hidden = await open({ title: 'Private', audience: 'organizations', organization_ids: [id] });
    clock.advance(MINUTE_MS);
    const { text } = await visit('/status');
    expect(text).not.toContain('Private');
    expect(await summary()).toMatchObject({ incidents: [] });
    await update(hidden, { state: 'resolved' });
  });

  it('cannot be made to run or load anything', async () => {
    const hostile = `<script>alert(1)</script><img src=x onerror=alert(1)>"'`;
    const id = await open({ title: hostile, message: `${hostile}\nA second line.` });
    clock.advance(MINUTE_MS);
    const { text, headers } = await visit('/status');
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    await update(id, { state: 'resolved' });
  });

  it('may be 15 seconds old, for the service and for whoever caches it', async () => {
    const { headers } = await visit('/status');
    expect(headers.get('cache-control')).toBe('public, max-age=15');
    const id = await open({ title: 'Fresh' });
    expect((await visit('/status')).text).not.toContain('Fresh');
    clock.advance(14_999);
    expect((await visit('/status')).text).not.toContain('Fresh');
    clock.advance(1);
    expect((await visit('/status')).text).toContain('Fresh');
    await update(id, { state: 'resolved' });
  });

  it('is answered 60 times a minute to an address', async () => {
    const statuses = [];
    for (let at = 0; at < 60; at++)
      statuses.push((await visit(at % 2 ? '/status' : '/status/summary.json')).status);
    expect(statuses).toEqual(Array(60).fill(200));
    const refused = await visit('/status/summary.json');
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, 'rate_limit']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    clock.advance(MINUTE_MS);
    expect((await visit('/status')).status).toBe(200);
  });

  it('is not there unless it is switched on', async () => {
    const without = await startManagement({ database: management.database });
    for (const path of ['/status', '/status/summary.json']) {
      expect((await fetch(without.url + path)).status).toBe(404);
    }
    await without.close();
  });
});
