import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import {
  problemsOfLook,
  describePages,
  consoles,
  type StubbedConsole,
  type StubbedOptions,
} from './stubbed-console';

const VERSION = 'pol_06dpm2q4x8k3c0v9r7t5w1hzny';
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

describePages('the page of one version of the policy', () => {
  describeStates({
    path: `/routing/versions/${VERSION}`,
    reads: `GET /policy/versions/${VERSION}`,
    heading: /^Version \d+$/,
    shown: (page) => page.getByRole('heading', { name: 'What it says' }).waitFor(),
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
    await page.getByText('The default policy was never changed.').waitFor();
  });

  it('replaces only the version that it began with, and writes the whole policy', async () => {
    const { page, calls } = await open({ answers: { 'GET /usage': { body: { data: [] } } } });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
    await page.getByText(/^Saved as version/).waitFor();
    const [written] = calls.filter(({ method }) => method === 'PUT');
    expect(written?.headers['if-match']).toBe(`"${String(policy.version)}"`);
    expect(Object.keys(JSON.parse(written?.body ?? '{}') as object)).toHaveLength(11);
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
    const conflict = page.getByRole('dialog', { name: 'Somebody else wrote the policy' });
    await conflict.getByText(`Version ${String(version)} was written by`).waitFor();
    expect(await problemsOfLook(page)).toEqual([]);
    await conflict.getByRole('button', { name: 'Go on editing' }).click();
    await expect(page.getByRole('checkbox', { name: 'Zero retention only' }).isChecked()).resolves.toBe(true);
    await page.getByRole('button', { name: 'Compare' }).waitFor();
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
    await page
      .getByRole('form', { name: 'Policy' })
      .getByRole('alert')
      .getByText('Refused: invalid_request.')
      .waitFor();
  });

  it('says when the effect is not known, and then wants "Save anyway"', async () => {
    const { page } = await open({
      answers: { 'POST /policy/simulate': refusedWith(500, 'internal', null) },
    });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByText('The effect on models is not known.').waitFor();
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
