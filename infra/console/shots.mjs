/** The pictures of docs/console: each page, and what is done there before it is taken. */
export const shots = [
  { name: 'overview', path: '/?period=30d&group=model' },
  { name: 'start', path: '/start' },
  { name: 'requests', path: '/requests', height: 1_000 },
  { name: 'request', path: '/requests', prepare: openFirst },
  { name: 'models', path: '/models' },
  { name: 'routing', path: '/routing', prepare: draftPolicy },
  { name: 'keys', path: '/keys' },
];

/** A draft that turns the order of a model's endpoints round. */
async function draftPolicy(page) {
  await page.getByRole('combobox', { name: 'Model', exact: true }).fill('openai/gpt-oss-120b');
  await page.getByRole('option', { name: 'openai/gpt-oss-120b' }).click();
  await page.getByRole('combobox', { name: 'Add a provider' }).fill('deepseek');
  await page.getByRole('option', { name: 'deepseek' }).click();
  await page.getByRole('radio', { name: 'Throughput' }).check();
  await page.getByText('stops being callable').or(page.getByText('stop being callable')).first().waitFor();
}

async function openFirst(page) {
  await page.getByRole('main').getByRole('table').getByRole('link').first().click();
  await page.getByRole('link', { name: 'Open as a page' }).click();
}
