import { eventually } from '@svc/testing';
import { consoles, describePages, problemsOfLook, type StubbedOptions } from '../stubbed-console';
import { application, listOf, oneOf, ORGANIZATION, PLATFORM, type Row } from './operator-examples';

const PATH = `/organizations/${ORGANIZATION}`;
const OVERVIEW = `GET ${PLATFORM}${PATH}/overview`;
const GRANTS = `GET ${PLATFORM}${PATH}/credit-grants`;

const overviewWith = (fields: Row) => ({ body: { ...oneOf(`${PATH}/overview`), ...fields } });
const ownersOf = (...emails: string[]) => {
  const [owner] = oneOf(`${PATH}/overview`)['owners'] as [Row];
  return emails.map((email, at) => ({ ...owner, member_id: `mem_${String(at)}`, email }));
};

describePages('an organization, as the operator sees it', () => {
  const openConsole = consoles();
  const open = (answers: StubbedOptions['answers'] = {}) => openConsole({ application, path: PATH, answers });

  it('shows who owns it, how many are in it, what it spends and the credit that was granted', async () => {
    const { page } = await open({
      [OVERVIEW]: overviewWith({
        ...{ member_count: 1_204, owner_count: 2, owners: ownersOf('ada@acme.example', 'bob@acme.example') },
        spend: { last_7_days_nanos: 1_500_000_000, last_30_days_nanos: 6_400_000_000 },
      }),
    });
    const people = page.getByRole('region', { name: 'Members and spend' });
    for (const words of ['ada@acme.example', 'bob@acme.example', '1,204', '$1.50', '$6.40'])
      await people.getByText(words, { exact: true }).waitFor();
    const grants = page.getByRole('table', { name: 'Credit grants' });
    for (const words of ['$1.50', 'Welcome credit']) await grants.getByText(words, { exact: true }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  it('says how many owners it does not list, and where there is none', async () => {
    const { page } = await open({
      [OVERVIEW]: overviewWith({ owner_count: 22, owners: ownersOf('ada@acme.example') }),
    });
    await page.getByText('and 21 more').waitFor();
    const { page: other } = await open({ [OVERVIEW]: overviewWith({ owner_count: 0, owners: [] }) });
    await other.getByText('No active owner').waitFor();
    await other.getByRole('button', { name: 'Appoint an owner' }).click();
    await other.getByRole('dialog', { name: 'Appoint an owner' }).waitFor();
  });

  it('has one action where no credit was granted, and reads the list again after a grant', async () => {
    let grants: object[] = [];
    const { page } = await open({ [GRANTS]: () => listOf(grants) });
    await page.getByRole('heading', { name: 'No credit granted yet' }).waitFor();
    await page.getByRole('button', { name: 'Grant the first credit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Grant credit' });
    await dialog.getByLabel('Amount').fill('5');
    await dialog.getByLabel('Reason').fill('A gift');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    grants = [
      { id: 'crg_1', amount_nanos: 5_000_000_000, reason: 'A gift', created_at: '2026-11-20T09:30:00.000Z' },
    ];
    await dialog.getByRole('button', { name: 'Grant $5.000000000' }).click();
    await page.getByRole('table', { name: 'Credit grants' }).getByText('A gift').waitFor();
    await dialog.waitFor({ state: 'detached' });
    // The button that opened the dialog is gone with the empty list.
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement === document.body')).toBe(false),
    );
  });

  it('walks the pages of its grants', async () => {
    const page1 = { ...listOf([{ ...grantOf('Later') }]).body, has_more: true, next_cursor: 'crg_1' };
    const { page } = await open({
      [GRANTS]: ({ query }) =>
        query.get('cursor') === null ? { body: page1 } : listOf([grantOf('Earlier')]),
    });
    await page.getByText('Later').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Earlier').waitFor();
    await page.goBack();
    await page.getByText('Later').waitFor();
  });

  it('does not move when its figures come late', async () => {
    let answer: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (answer = resolve));
    const { page } = await open({
      [OVERVIEW]: async () => {
        await late;
        return overviewWith({});
      },
    });
    const limits = page.getByRole('heading', { name: 'Limits' });
    await page.getByRole('table', { name: 'Credit grants' }).waitFor();
    const before = await limits.boundingBox();
    answer();
    await page.getByText('ada@example.com').waitFor();
    expect(await limits.boundingBox()).toEqual(before);
  });

  it('goes on where one part cannot be read, and says which failed', async () => {
    const failed = {
      status: 503,
      body: {
        error: { code: 'overloaded', message: 'The database is busy.', retriable: false, request_id: null },
      },
    };
    const { page } = await open({ [OVERVIEW]: failed, [GRANTS]: failed });
    for (const name of ['Members and spend', 'Credit grants'])
      await page
        .getByRole('region', { name })
        .getByRole('alert')
        .getByText('The database is busy.')
        .waitFor();
    await page.getByRole('button', { name: 'Grant credit' }).click();
    await page.getByRole('dialog', { name: 'Grant credit' }).waitFor();
  });

  it('keeps hostile and long words in their place, as text', async () => {
    const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`;
    const { page } = await open({
      [OVERVIEW]: overviewWith({ owners: ownersOf(long, '<img src=x>\u202e@example.com') }),
      [GRANTS]: listOf([
        { ...grantOf('<img src=x onerror=alert(1)>\u202e'.repeat(10)), amount_nanos: 2 ** 53 - 1 },
      ]),
    });
    await page.getByText('<img src=x>⟨U+202E⟩@example.com').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await problemsOfLook(page)).toEqual([]);
  });
});

const grantOf = (reason: string): Row => ({
  id: `crg_${reason.length.toString()}`,
  amount_nanos: 700,
  reason,
  created_at: '2026-11-20T09:30:00.000Z',
});
