import { type Page } from 'playwright-core';
import { documentedExample, documentedSchemas } from './documented-examples';
import { describeStates } from './page-states';
import {
  problemsOfLook,
  describePages,
  consoles,
  type StubbedConsole,
  type StubbedOptions,
} from './stubbed-console';

const VERSION = 'pol_06dpm2q4x8k3c0v9r7t5w1hzny';
const PROJECT = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const ORGANIZATION = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission =
  'Your role, Viewer, cannot see the routing policy. Owners, security admins, developers, and viewers can.';
const policy = documentedExample('GET', `${ORGANIZATION}/policy`)?.body as { version: number };
const simulated = documentedExample('POST', `${ORGANIZATION}/policy/simulate`)?.body as {
  excluded: { endpoint: { provider: string } }[];
};
const change = {
  model: 'acme/small',
  operation: 'chat_completions',
  change: 'stops',
  before: { id: 'of-acme', provider: 'acme', region: 'eu-west', data_retention: 'zero' },
  after: null,
  refusal: {
    status: 422,
    type: 'routing',
    code: 'no_eligible_route',
    message: 'None.',
    param: null,
    retriable: false,
  },
};
/** The simulation of a call, or of the whole catalog, as it is asked. */
const answerOf = (sent: string | null) => {
  const { model } = JSON.parse(sent ?? '{}') as { model?: string };
  return model === undefined
    ? {
        body: { ...simulated, operation: null, attempts: [], excluded: [], refusal: null, changes: [change] },
      }
    : { body: { ...simulated, changes: null } };
};
interface Schema {
  readonly properties: Readonly<Record<string, { readonly readOnly?: boolean }>>;
}
/** The fields that a write of a policy takes. */
const fieldsOf = (schema: string): readonly string[] =>
  Object.entries((documentedSchemas() as Readonly<Record<string, Schema>>)[schema]?.properties ?? {})
    .filter(([, { readOnly }]) => readOnly !== true)
    .map(([name]) => name)
    .sort();
const answers: NonNullable<StubbedOptions['answers']> = {
  'POST /policy/simulate': ({ body }) => answerOf(body),
};

describePages('the page of routing', () => {
  describeStates({
    path: '/routing',
    reads: 'GET /policy',
    heading: 'Routing',
    shown: (page) => page.getByRole('heading', { name: 'What a call would do' }).waitFor(),
    noPermission,
    answers,
    overlays: [
      (page) => page.getByRole('combobox', { name: 'Route' }).click(),
      async (page) => {
        await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
        await page.getByText('1 model stops being callable: acme/small.').waitFor();
        await page.getByRole('button', { name: 'Review and save' }).click();
        await page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor();
      },
    ],
  });
});

const shownDraft = (page: Page) => page.getByRole('heading', { name: 'What a call would do' }).waitFor();
const reviewZeroRetention = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
  await page.getByText('1 model stops being callable: acme/small.').waitFor();
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.getByRole('dialog').getByRole('list', { name: 'Changes' }).waitFor();
};

describePages('the page of routing at a project', () => {
  describeStates({
    path: `/routing?level=project&project=${PROJECT}`,
    reads: `GET /projects/${PROJECT}/policy`,
    heading: 'Routing',
    shown: shownDraft,
    noPermission,
    gone: 'This project was not found',
    answers,
    overlays: [
      (page) => page.getByRole('combobox', { name: 'Project', exact: true }).click(),
      reviewZeroRetention,
    ],
  });
});

describePages('the list of a field', () => {
  const open = consoles();
  it('is closed by Tab, and hides nothing from screen readers then', async () => {
    const { page } = await open({ path: `/routing?level=project&project=${PROJECT}`, answers });
    await page.getByRole('combobox', { name: 'Project', exact: true }).click();
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Routing' }).waitFor();
    expect(await page.evaluate('document.activeElement.closest("[aria-hidden=true]") === null')).toBe(true);
  });
});

describePages('the page of routing at a key', () => {
  describeStates({
    path: `/routing?level=key&key=${KEY}`,
    reads: `GET /keys/${KEY}/policy`,
    heading: 'Routing',
    shown: shownDraft,
    noPermission,
    gone: 'This key was not found',
    answers,
    overlays: [
      (page) => page.getByRole('combobox', { name: 'Key', exact: true }).click(),
      reviewZeroRetention,
    ],
  });
});

describePages('the page of the effective policy', () => {
  describeStates({
    path: `/routing?level=effective&key=${KEY}`,
    reads: 'GET /policy/effective',
    heading: 'Routing',
    shown: (page) => page.getByRole('table', { name: 'Fields of the effective policy' }).waitFor(),
    noPermission,
    gone: 'This project or key was not found',
    answers,
  });
});

describePages('the page of one version of a key’s policy', () => {
  describeStates({
    path: `/routing/versions/${VERSION}?key=${KEY}`,
    reads: `GET /keys/${KEY}/policy/versions/${VERSION}`,
    heading: /^Version \d+$/,
    shown: (page) => page.getByText('Allowed addresses').waitFor(),
    noPermission,
    gone: 'This version was not found',
  });
});

describePages('the page of one version of the policy', () => {
  describeStates({
    path: `/routing/versions/${VERSION}`,
    reads: `GET /policy/versions/${VERSION}`,
    heading: /^Version \d+$/,
    shown: (page) => page.getByRole('heading', { name: 'Policy' }).waitFor(),
    noPermission,
    gone: 'This version was not found',
  });
});

describePages('the editor of the policy', () => {
  const openConsole = consoles();
  const open = ({ answers: more, ...others }: StubbedOptions = {}): Promise<StubbedConsole> =>
    openConsole({ path: '/routing', answers: { ...answers, ...more }, ...others });
  const refusedWith = (status: number, code: string, param: string | null) => ({
    status,
    body: { error: { code, message: `Refused: ${code}.`, param, retriable: false } },
  });

  it('says that the default was never changed, where there is no version', async () => {
    const body = { object: 'list', data: [], has_more: false, next_cursor: null };
    const { page } = await open({ answers: { 'GET /policy/versions': { body } } });
    await page.getByText('The default policy has not been changed.').waitFor();
  });

  it('replaces only the version that it began with, and writes the whole policy', async () => {
    const { page, calls } = await open({ answers: { 'GET /usage': { body: { data: [] } } } });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    const [written] = calls.filter(({ method }) => method === 'PUT');
    expect(written?.headers['if-match']).toBe(`"${String(policy.version)}"`);
    expect(Object.keys(JSON.parse(written?.body ?? '{}') as object).sort()).toEqual(fieldsOf('NewPolicy'));
  });

  it('keeps the draft and shows both changes where somebody has written since', async () => {
    let version = policy.version;
    const { page } = await open({
      answers: {
        'GET /usage': { body: { data: [] } },
        'GET /policy': () => ({ body: { ...policy, version, sort: 'throughput' } }),
        'PUT /policy': () => {
          version += 1;
          return refusedWith(412, 'precondition_failed', 'If-Match');
        },
      },
    });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
    const conflict = page.getByRole('dialog', { name: 'The policy changed while you were editing' });
    await conflict.getByText(`Version ${String(policy.version + 1)} was written by`).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await conflict.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByRole('checkbox', { name: 'Zero retention only' }).isChecked()).resolves.toBe(true);
    await page.getByRole('button', { name: 'Compare' }).waitFor();
    // The focus is at the end of the form, and the sticky header is over a part of a field.
    await page.evaluate('scrollTo(0, 0)');
    expect(await problemsOfLook(page)).toEqual([]);
  });

  it('shows what the API refused at its field', async () => {
    const { page } = await open({
      answers: {
        'GET /usage': { body: { data: [] } },
        'PUT /policy': refusedWith(400, 'invalid_request', 'denied_regions[0]'),
      },
    });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
    await page.getByRole('form', { name: 'Policy' }).getByText('Refused: invalid_request.').waitFor();
  });

  it('says when the effect is not known, and then wants "Save anyway"', async () => {
    const { page } = await open({
      answers: { 'POST /policy/simulate': refusedWith(500, 'internal', null) },
    });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByText('The effect on models could not be calculated.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).waitFor();
  });

  it('shows hostile names as plain text', async () => {
    const hostile = '<img src=x onerror="document.title=1">\u202e';
    const shown = '<img src=x onerror="document.title=1">⟨U+202E⟩';
    const { page } = await open({
      answers: { 'GET /policy': { body: { ...policy, denied_regions: [hostile] } } },
    });
    await page.getByRole('list', { name: 'Denied regions' }).getByText(shown).waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});

describePages('the policies of projects and keys', () => {
  const open = consoles();
  const noUsage = { 'GET /usage': { body: { data: [] } } };
  const project = documentedExample('GET', `${ORGANIZATION}/projects/${PROJECT}`)?.body as object;
  const key = documentedExample('GET', `${ORGANIZATION}/keys/${KEY}`)?.body as object;

  it.each([
    ['project', PROJECT, `/projects/${PROJECT}/policy`, 'NewProjectPolicy', { project_id: PROJECT }],
    ['key', KEY, `/keys/${KEY}/policy`, 'NewKeyPolicy', { api_key_id: KEY }],
  ] as const)(
    'of a %s are tried at their level and written with its fields',
    async (level, id, path, schema, subject) => {
      const { page, calls } = await open({
        path: `/routing?level=${level}&${level}=${id}`,
        answers: { ...answers, ...noUsage },
      });
      await reviewZeroRetention(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
      await page.getByText(/^Saved as version/).waitFor();
      const [written] = calls.filter(({ method }) => method === 'PUT');
      expect(written?.path).toBe(`${ORGANIZATION}${path}`);
      expect(written?.headers['if-match']).toMatch(/^"\d+"$/);
      expect(Object.keys(JSON.parse(written?.body ?? '{}') as object).sort()).toEqual(fieldsOf(schema));
      const simulations = calls.filter(({ path: asked }) => asked.endsWith('/policy/simulate'));
      for (const { body } of simulations)
        expect(JSON.parse(body ?? '{}')).toMatchObject({ level, ...subject });
      expect(
        calls.find(({ path: asked }) => asked.endsWith('/usage'))?.query.get(Object.keys(subject)[0] ?? ''),
      ).toBe(id);
    },
  );

  it('are chosen by project and by key, which the API searches', async () => {
    const { page, calls } = await open({ path: '/routing', answers });
    await page.getByRole('radio', { name: 'Project', exact: true }).check();
    await page.getByText('Choose a project').waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Key', exact: true }).check();
    await page.getByText('Choose a key').waitFor();
    await page.getByRole('combobox', { name: 'Key', exact: true }).fill('Prod');
    await page.getByRole('option', { name: /Production/ }).click();
    await page.waitForURL((url) => url.searchParams.get('key') === KEY);
    await shownDraft(page);
    expect(calls.some(({ path, query }) => path.endsWith('/keys') && query.get('q') === 'Prod')).toBe(true);
    await page.getByRole('radio', { name: 'Organization', exact: true }).check();
    await page.waitForURL((url) => !url.searchParams.has('key'));
  });

  it.each([
    [
      'project',
      PROJECT,
      { [`GET /projects/${PROJECT}`]: { body: { ...project, state: 'archived' } } },
      /archived/,
    ],
    ['key', KEY, { [`GET /keys/${KEY}`]: { body: { ...key, state: 'revoked' } } }, /revoked/],
  ] as const)(
    'of an archived project and a revoked key can be read but not written: %s',
    async (level, id, owner, words) => {
      const { page, calls } = await open({
        path: `/routing?level=${level}&${level}=${id}`,
        answers: { ...answers, ...owner },
      });
      await page.getByText(words).first().waitFor();
      await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
      const review = page.getByRole('button', { name: 'Review and save' });
      expect(await review.getAttribute('aria-disabled')).toBe('true');
      await review.click({ force: true });
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(calls.filter(({ method }) => method === 'PUT')).toEqual([]);
      expect(await problemsOfLook(page)).toEqual([]);
    },
  );

  it('ask before a draft is left for another level', async () => {
    const { page } = await open({ path: `/routing?level=key&key=${KEY}`, answers });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('radio', { name: 'Organization', exact: true }).click({ force: true });
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('checkbox', { name: 'Zero retention only' }).isChecked()).resolves.toBe(true);
    expect(new URL(page.url()).searchParams.get('level')).toBe('key');
  });

  it('list addresses, one a line, and say that an empty list lets nobody in', async () => {
    const { page } = await open({ path: `/routing?level=key&key=${KEY}`, answers });
    const addresses = page.getByRole('textbox', { name: 'Addresses and ranges' });
    await expect(addresses.inputValue()).resolves.toBe('192.0.2.0/24\n2001:db8::7');
    await addresses.fill('');
    await page.getByText('No addresses listed: the key cannot be used.').waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await addresses.fill('203.0.113.9');
    await page.getByText('1 field changed').waitFor();
  });
});

describePages('the effective policy', () => {
  const open = consoles();
  interface Field {
    readonly value: unknown;
    readonly decided_by: readonly object[];
  }
  interface Effective {
    readonly fields: Readonly<Record<string, Field>>;
  }
  const effective = documentedExample('GET', `${ORGANIZATION}/policy/effective`)?.body as Effective;
  const by = (level: string) => ({ level, policy_id: VERSION, version: 3 });

  it('names who decided each field, with a link to that version, and says where nobody did', async () => {
    const fields = {
      ...effective.fields,
      max_output_tokens: { value: 4096, decided_by: [by('key')] },
      max_cost_nanos: { value: 50_000_000, decided_by: [by('organization'), by('project')] },
      require_end_user: { value: false, decided_by: [] },
    };
    const { page, calls } = await open({
      path: `/routing?level=effective&key=${KEY}`,
      answers: { ...answers, 'GET /policy/effective': { body: { ...effective, fields } } },
    });
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
    const link = row('Max output tokens per call').getByRole('link', { name: 'Key, version 3' });
    expect(await link.getAttribute('href')).toContain(`/routing/versions/${VERSION}?`);
    expect(await link.getAttribute('href')).toContain(`key=${KEY}`);
    await row('Max cost per call').getByText('$0.050000000').waitFor();
    await row('Max cost per call').getByRole('link', { name: 'Project, version 3' }).waitFor();
    await row('End user required').getByText('Default').waitFor();
    await page.getByRole('table', { name: 'Rate limits of a call' }).waitFor();
    const asked = calls.find(({ path }) => path.endsWith('/policy/effective'));
    expect(Object.fromEntries(asked?.query ?? [])).toEqual({ api_key_id: KEY });
    await link.click();
    await page.getByRole('heading', { level: 1, name: /^Version \d+$/ }).waitFor();
    expect(calls.some(({ path }) => path.endsWith(`/keys/${KEY}/policy/versions/${VERSION}`))).toBe(true);
  });

  it('asks for no project where the key says it', async () => {
    const key = documentedExample('GET', `${ORGANIZATION}/keys/${KEY}`)?.body as object;
    const { page } = await open({
      path: `/routing?level=effective&key=${KEY}`,
      answers: { ...answers, [`GET /keys/${KEY}`]: { body: { ...key, project_id: null } } },
    });
    await page.getByRole('combobox', { name: 'Project', exact: true }).waitFor();
    const other = await open({ path: `/routing?level=effective&key=${KEY}`, answers });
    await other.page.getByRole('table', { name: 'Fields of the effective policy' }).waitFor();
    await other.page.getByRole('combobox', { name: 'Project', exact: true }).waitFor({ state: 'detached' });
  });
});
