import { eventually } from '@svc/testing';
import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { describePages, consoles } from './stubbed-console';

const REQUEST = 'req_06dpm2q4x8k3c0v9r7t5w1hzny';
const LIST = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny/requests';
const noPermission = /Your role, Viewer, cannot see requests/;
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

describePages('the page of requests', () => {
  describeStates({
    path: '/requests',
    reads: 'GET /requests',
    heading: 'Requests',
    shown: (page) => page.getByRole('table', { name: 'Requests' }).waitFor(),
    noPermission,
    overlays: [
      (page) => page.getByRole('button', { name: 'Add filter' }).click(),
      async (page) => {
        await page.getByRole('button', { name: 'Add filter' }).click();
        await page.getByRole('button', { name: 'HTTP status' }).click();
        await page.getByRole('textbox', { name: 'HTTP status' }).waitFor();
      },
      async (page) => {
        await page.getByRole('button', { name: 'Key', exact: true }).click();
        await page.getByRole('combobox', { name: 'Key' }).fill('pro');
        await page.getByRole('option').first().waitFor();
      },
      async (page) => {
        await page.getByRole('row').nth(1).getByRole('link').first().click();
        await page.getByRole('dialog').getByRole('list', { name: 'Attempts' }).waitFor();
      },
    ],
  });
});

describePages('the page of one request', () => {
  describeStates({
    path: `/requests/${REQUEST}`,
    reads: `GET /requests/${REQUEST}`,
    heading: 'Request',
    shown: (page) => page.getByRole('list', { name: 'Attempts' }).waitFor(),
    noPermission,
    gone: 'This request was not found',
  });
});

type Example = Readonly<Record<string, unknown>> & { readonly id: string };
const [example] = (documentedExample('GET', LIST)?.body as { data: [Example] }).data;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const idOf = (place: number) =>
  `req_06dpm2q4x8k3c0v9r7${[...place.toString(32).padStart(8, '0')].map((digit) => ALPHABET[Number.parseInt(digit, 32)]).join('')}`;
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, place) => ({ ...example, id: idOf(first + place) }));
const listOf = (data: readonly object[], next: string | null = null) => ({
  body: { object: 'list', data, has_more: next !== null, next_cursor: next },
});

describePages('the list of requests', () => {
  const open = consoles();

  it('says what a request is, where there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/requests', answers: { 'GET /requests': listOf([]) } });
    await page.getByText('No requests yet').waitFor();
    await page.goto(page.url().replace(/\/requests.*/, '/requests?status=failed'));
    await page.getByText('No requests match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No requests yet').waitFor();
  });

  it('goes on with a search that stopped before it found a call', async () => {
    const cursor = Buffer.from(REQUEST).toString('base64url');
    const { page, calls } = await open({
      path: '/requests?model=rare',
      answers: {
        'GET /requests': ({ query }) => (query.has('cursor') ? listOf([example]) : listOf([], cursor)),
      },
    });
    await page.getByText(/Searched to \d+ \w+ \d{4}/).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    expect(
      calls.filter(({ path }) => path.endsWith('/requests')).map(({ query }) => query.get('cursor')),
    ).toEqual([null, cursor]);
  });

  it('sends every filter of the address to the API', async () => {
    const address =
      'model=a/b,c/d&provider=acme&status=failed,cancelled&http_status=502,503&error=provider_error' +
      '&stream=true&session=night-42&attempts=2&cost=0.001&duration=10&first_token=5&after=2026-11-01T00:00:00Z' +
      '&before=2026-11-22T00:00:00Z&end_user=ana@example.com&failed=true';
    const { page, calls } = await open({ path: `/requests?${address}` });
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    const sent = calls.find(({ path }) => path.endsWith('/requests'))?.query;
    expect(Object.fromEntries(sent ?? [])).toEqual({
      model: 'a/b,c/d',
      provider: 'acme',
      status: 'failed,cancelled',
      failed: 'true',
      http_status: '502,503',
      error_code: 'provider_error',
      stream: 'true',
      session_id: 'night-42',
      end_user: 'ana@example.com',
      attempts_min: '2',
      min_cost_nanos: '1000000',
      min_duration_ms: '10',
      min_ttft_ms: '5',
      created_after: '2026-11-01T00:00:00Z',
      created_before: '2026-11-22T00:00:00Z',
      limit: '50',
    });
  });

  it('is narrowed by things that are found by their names, one after another, and by pasted ids', async () => {
    const keyExample = (
      documentedExample('GET', LIST.replace(/requests$/, 'keys'))?.body as { data: [Example] }
    ).data[0];
    const [production, staging, pasted] = ['00', '01', '02'].map(
      (end) => `key_06dpm2q4x8k3c0v9r7t5w1hz${end}`,
    ) as [string, string, string];
    const keys = [
      { ...keyExample, id: production, name: 'Production' },
      { ...keyExample, id: staging, name: 'Staging', state: 'revoked' },
    ];
    const { page, calls } = await open({
      path: '/requests',
      answers: {
        'GET /keys': ({ query }) => {
          const [q, ids] = [query.get('q')?.toLowerCase(), query.get('ids')?.split(',')];
          return listOf(
            keys.filter(({ id, name }) =>
              ids === undefined ? name.toLowerCase().includes(q ?? '') : ids.includes(id),
            ),
          );
        },
      },
    });
    const isKeys = (expected: string) =>
      page.waitForURL((url) => (url.searchParams.get('key') ?? '') === expected);
    const chip = page.getByRole('button', { name: /^Key/ }).first();
    const field = page.getByRole('combobox', { name: 'Key' });
    await chip.click();
    await field.pressSequentially('prod');
    await page.getByRole('option', { name: /^Production/ }).waitFor();
    await page.keyboard.press('Enter');
    await isKeys(production);
    // A revoked key has calls, too.
    await page.getByRole('button', { name: 'Key: Production' }).click();
    await field.pressSequentially('stag');
    await page.getByRole('option', { name: /^Staging/ }).click();
    await isKeys(`${production},${staging}`);
    await page.getByRole('button', { name: 'Key: Production, Staging' }).click();
    await field.fill(pasted);
    await page.getByRole('option', { name: pasted }).click();
    await isKeys(`${production},${staging},${pasted}`);
    await page.getByRole('button', { name: /^Key: Production, Staging/ }).click();
    await page.getByRole('button', { name: 'Remove Staging' }).click();
    await isKeys(`${production},${pasted}`);
    const sent = calls.filter(({ path }) => path.endsWith('/requests')).at(-1);
    expect(sent?.query.get('api_key_id')).toBe(`${production},${pasted}`);
    expect(calls.filter(({ path, query }) => path.endsWith('/keys') && query.has('state'))).toEqual([]);
  });

  it('takes typed ids from a role that cannot see names', async () => {
    const { page } = await open({ path: '/requests', permissions: ['org:read', 'usage:read'] });
    const id = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
    await page.getByRole('button', { name: 'Key', exact: true }).click();
    await page.getByRole('textbox', { name: 'Key' }).fill('production');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('This value is not valid.').waitFor();
    await page.getByRole('textbox', { name: 'Key' }).fill(id);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('key') === id);
  });

  it('has two lines a call on a phone: time and cost, model and status', async () => {
    const { page } = await open({
      path: '/requests',
      width: 375,
      answers: { 'GET /requests': listOf(rowsFrom(0, 3)) },
    });
    const row = page.getByRole('row').nth(1);
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(72);
    const shown = await row
      .locator('th, td')
      .evaluateAll(
        (cells) =>
          cells.filter((cell) => (cell as unknown as { checkVisibility(): boolean }).checkVisibility())
            .length,
      );
    expect(shown).toBe(4);
    await row.getByRole('link').first().click();
    await page.getByRole('dialog', { name: 'Request' }).waitFor();
  });

  it('walks from one call to the next beyond the page, and back', async () => {
    const size = 50;
    const { page } = await open({
      path: `/requests?open=${idOf(size - 1)}`,
      answers: {
        'GET /requests': ({ query }) => {
          const place = Number(query.get('cursor') ?? 0);
          return listOf(rowsFrom(place, size), place < size ? String(place + size) : null);
        },
      },
    });
    const opens = (place: number) => page.waitForURL((url) => url.searchParams.get('open') === idOf(place));
    const dialog = page.getByRole('dialog', { name: 'Request' });
    await dialog.getByRole('button', { name: 'Next' }).click();
    await opens(size);
    await dialog.getByRole('button', { name: 'Next' }).click();
    await opens(size + 1);
    await dialog.getByRole('button', { name: 'Previous' }).click();
    await opens(size);
    await dialog.getByRole('button', { name: 'Previous' }).click();
    await opens(size - 1);
    await dialog.getByRole('button', { name: 'Previous' }).click();
    await opens(size - 2);
  });

  it('shows on Back the page of the list that was left, as far down as it was', async () => {
    const size = 50;
    const { page } = await open({
      path: '/requests',
      answers: {
        'GET /requests': ({ query }) => {
          const place = Number(query.get('cursor') ?? 0);
          return listOf(rowsFrom(place, size), String(place + size));
        },
      },
    });
    const row = (place: number) => page.locator(`a[href*="open=${idOf(place)}"]`).first();
    const next = page.getByRole('button', { name: 'Next page' });
    await row(0).waitFor();
    await next.click();
    await row(size).waitFor();
    await next.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate<number>('scrollY');
    expect(scrolled).toBeGreaterThan(0);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    await next.click();
    await row(2 * size).waitFor();
    await page.goBack();
    await row(size).waitFor();
    await eventually(async () =>
      expect(Math.abs((await page.evaluate<number>('scrollY')) - scrolled)).toBeLessThan(2),
    );
    await page.goBack();
    await row(0).waitFor();
  });

  it('leads from a call to those of the same end user, and to the policies that it was planned by', async () => {
    const PROJECT = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
    const { page, calls } = await open({
      path: `/requests/${REQUEST}`,
      answers: {
        [`GET /requests/${REQUEST}`]: {
          body: { ...example, policy_versions: { organization: 3, project: 2, key: 0 } },
        },
      },
    });
    const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await hrefOf('Organization, version 3')).toMatch(/\/routing(\?org=\w+)?$/);
    expect(await hrefOf('Project, version 2')).toContain(`level=project&project=${PROJECT}`);
    expect(await hrefOf('Key, none')).toContain('level=key&key=key_');
    await page.getByRole('link', { name: 'ana@example.com' }).click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    const listed = calls.find(({ path }) => path.endsWith('/requests'));
    expect(listed?.query.get('end_user')).toBe('eu_06dpm2q4x8k3c0v9r7t5w1hzny');
  });

  it('says nothing of an end user, and of policies, where a call has none', async () => {
    const { page } = await open({
      path: `/requests/${REQUEST}`,
      answers: {
        [`GET /requests/${REQUEST}`]: {
          body: { ...example, end_user: null, end_user_id: null, policy_versions: null },
        },
      },
    });
    await page.getByText('Policy versions').waitFor();
    expect(await page.getByRole('link', { name: /, version/ }).count()).toBe(0);
    expect(await page.getByText('ana@example.com').count()).toBe(0);
  });

  it('turns a pending call into a final one, without being asked', async () => {
    let status = 'pending';
    const { page } = await open({
      path: `/requests/${REQUEST}`,
      answers: {
        [`GET /requests/${REQUEST}`]: () => ({
          body: {
            ...example,
            status,
            cost: { ...(example['cost'] as object), state: status === 'pending' ? 'provisional' : 'final' },
          },
        }),
      },
    });
    await page.getByText('Provisional', { exact: false }).first().waitFor();
    status = 'succeeded';
    await page.getByText('Final', { exact: true }).waitFor();
  });

  it('stops an export, and saves nothing', async () => {
    const { page } = await open({
      path: '/requests',
      answers: {
        'GET /requests': ({ query }) => {
          const place = Number(query.get('cursor') ?? 0);
          const isExport = query.get('limit') === '100';
          const answer = listOf(rowsFrom(place, 50), String(place + 50));
          return isExport ? new Promise((resolve) => setTimeout(() => resolve(answer), 20)) : answer;
        },
      },
    });
    let saved = 0;
    page.on('download', () => (saved += 1));
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Export CSV' }).waitFor();
    expect(saved).toBe(0);
  });

  it('shows names with markup and hidden characters as text', async () => {
    const hostile = { ...example, model: HOSTILE, provider: HOSTILE, error_code: HOSTILE };
    const { page, problems } = await open({
      path: '/requests',
      answers: { 'GET /requests': listOf([hostile]) },
    });
    await page
      .getByRole('link', { name: /<img src=x onerror=alert\(1\)>⟨U\+202E⟩/ })
      .first()
      .waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('holds its rows under the focus while it is live, and offers what is new', async () => {
    let newest = 1;
    const { page } = await open({
      path: '/requests?live=true',
      answers: {
        'GET /requests': () =>
          listOf(
            [...Array.from({ length: newest }, (_, place) => place).reverse()].map((place) => ({
              ...example,
              id: idOf(place),
            })),
          ),
      },
    });
    const first = page.getByRole('row').nth(1).getByRole('link').first();
    await first.focus();
    newest = 3;
    const show = page.getByRole('button', { name: 'Show 2 new' });
    await show.waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await first.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    await show.click();
    await page.getByRole('row').nth(3).waitFor();
  });

  it('keeps its memory flat over 20 pages of a million rows', async () => {
    const size = 50;
    const { page } = await open({
      path: '/requests',
      answers: {
        'GET /requests': ({ query }) => {
          const place = Number(query.get('cursor') ?? 0);
          return listOf(rowsFrom(place, size), place + size < 1_000_000 ? String(place + size) : null);
        },
      },
    });
    const client = await page.context().newCDPSession(page);
    const heap = async () => {
      await client.send('HeapProfiler.collectGarbage');
      const { usedSize } = await client.send('Runtime.getHeapUsage');
      return usedSize;
    };
    const walk = async (pages: number, from: number) => {
      for (let place = from; place < from + pages; place++) {
        await page.getByRole('button', { name: 'Next page' }).click();
        await page.locator(`a[href*="open=${idOf(place * size)}"]`).waitFor();
      }
    };
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    await walk(2, 1);
    const before = await heap();
    await walk(20, 3);
    expect((await heap()) - before).toBeLessThan(10_000_000);
  });
});
