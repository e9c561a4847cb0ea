import { consoles, describePages, type StubbedOptions } from '../stubbed-console';
import {
  application,
  INCIDENT,
  inReview,
  listOf,
  oneOf,
  ORGANIZATION,
  PLATFORM,
  rowOf,
  type Row,
  waiting,
} from './operator-examples';

describePages('what an operator sees where there is nothing', () => {
  const openConsole = consoles();
  const open = (options: StubbedOptions) => openConsole({ application, ...options });
  const nothing = (path: string) => ({ [`GET ${PLATFORM}${path}`]: listOf([]) });

  it.each([
    ['/', '/organizations', 'No organizations yet'],
    ['/payments', '/payments', 'No payments need your decision'],
    ['/incidents', '/incidents', 'No incidents yet'],
    ['/parked-messages', '/parked-messages', 'No parked messages'],
  ])('%s says what it is for', async (path, read, title) => {
    const { page } = await open({ path, answers: nothing(read) });
    await page.getByRole('heading', { name: title }).waitFor();
  });

  it.each([
    ['/?q=acme', '/organizations', 'No organizations match these filters.'],
    ['/payments?state=refunded', '/payments', 'No payments match these filters.'],
    ['/incidents?state=open', '/incidents', 'No incidents match these filters.'],
    ['/parked-messages?consumer=audit', '/parked-messages', 'No parked messages match these filters.'],
  ])('%s says that the filters leave nothing, and clears them', async (path, read, title) => {
    const { page } = await open({ path, answers: nothing(read) });
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('heading', { name: title }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('an address that is not understood is named, and the rest of it holds', async () => {
    const { page, calls } = await open({ path: '/?state=suspended&q=%00&colour=red' });
    await page.getByText(/was left out: (q and colour|colour and q)\./).waitFor();
    const [call] = calls.filter(({ path }) => path === `${PLATFORM}/organizations`);
    expect(Object.fromEntries(call!.query)).toEqual({ state: 'suspended', limit: '50' });
  });

  it('an unknown address leads back', async () => {
    const { page } = await open({ path: '/nowhere' });
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await page.getByRole('table', { name: 'Organizations' }).waitFor();
  });
});

describePages('hostile words in the operator’s console', () => {
  const openConsole = consoles();
  const HOSTILE = '<img src=x onerror="document.title=1">\u202e';
  const SHOWN = '<img src=x onerror="document.title=1">⟨U+202E⟩';

  it.each([
    ['/', '/organizations', () => listOf([{ ...rowOf('/organizations'), name: HOSTILE }])],
    ['/incidents', '/incidents', () => listOf([{ ...rowOf('/incidents'), title: HOSTILE }])],
    ['/parked-messages', '/parked-messages', () => listOf([{ ...waiting(), reason: HOSTILE }])],
    ['/payments', '/payments', () => listOf([{ ...inReview(), review_reason: HOSTILE }])],
    [
      `/incidents/${INCIDENT}`,
      `/incidents/${INCIDENT}`,
      () => {
        const incident = oneOf(`/incidents/${INCIDENT}`);
        const [update] = incident['updates'] as [Row];
        return { body: { ...incident, updates: [{ ...update, message: HOSTILE }] } };
      },
    ],
    [
      `/organizations/${ORGANIZATION}`,
      `/organizations/${ORGANIZATION}`,
      () => ({ body: { ...oneOf(`/organizations/${ORGANIZATION}`), name: HOSTILE } }),
    ],
  ])('are plain text at %s', async (path, read, answer) => {
    const { page } = await openConsole({
      application,
      path,
      answers: { [`GET ${PLATFORM}${read}`]: answer() },
    });
    await page.getByText(SHOWN).first().waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });
});
