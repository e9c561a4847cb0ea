import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const INCIDENT = 'inc_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const example = documentedExample('GET', `${BELOW}/incidents/${INCIDENT}`)?.body as object;
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});

describePages('the page of incidents', () => {
  describeStates({
    path: '/incidents',
    reads: 'GET /incidents',
    heading: 'Incidents',
    shown: (page) => page.getByRole('table', { name: 'Incidents' }).waitFor(),
    answers: { 'GET /incidents': listOf([example]) },
    overlays: [(page) => page.getByRole('button', { name: 'State' }).click()],
  });
});

describePages('the page of one incident', () => {
  describeStates({
    path: `/incidents/${INCIDENT}`,
    reads: `GET /incidents/${INCIDENT}`,
    heading: /.+/,
    shown: (page) => page.getByRole('list', { name: 'Updates' }).waitFor(),
    gone: 'This incident was not found',
  });
});

describePages('incidents', () => {
  const open = consoles();

  it('says that none has affected the organization, and that none matches a filter', async () => {
    const { page } = await open({ path: '/incidents', answers: { 'GET /incidents': listOf([]) } });
    await page.getByText('No incidents').waitFor();
    await page.goto(page.url().replace(/\/incidents.*/, '/incidents?state=resolved'));
    await page.getByText('No incidents match these filters.').waitFor();
  });

  it('stands as a banner on other pages while it is open, its title as plain text', async () => {
    const title = '<img src=x onerror="document.title=1">\u202e';
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /incidents': listOf([{ ...example, title }]) },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.getByRole('link', { name: 'View incident' }).click();
    await page.getByRole('list', { name: 'Updates' }).waitFor();
  });
});
