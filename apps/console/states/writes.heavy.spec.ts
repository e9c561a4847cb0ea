import { documentedExample } from './documented-examples';
import { consoles, describePages } from './stubbed-console';

const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const { name } = documentedExample('GET', `${BELOW}/keys/${KEY}`)?.body as { name: string };
const example = documentedExample('POST', `${BELOW}/keys`)?.body as { key: string; warning: string };
/** The documented one ends where its visible prefix does. */
const created = { ...example, key: `svc_sk_${'Zk3vQ8aB'.repeat(5)}` };
const denied = { code: 'permission_denied', message: 'Your role cannot do this.', retriable: false };

/** The API holds its answers. Each is given when the spec says so, but not before the write has reached the API. */
function heldAnswers() {
  let reached = Promise.withResolvers<(answer: object) => void>();
  return {
    hold: () =>
      new Promise<object>((resolve) => {
        reached.resolve(resolve);
      }),
    give: async (answer: object) => {
      const answered = await reached.promise;
      reached = Promise.withResolvers();
      answered(answer);
    },
  };
}

describePages('a write', () => {
  const open = consoles();

  it('is sent once, however often its button is pressed, and counts as done when the API says so', async () => {
    const { hold, give } = heldAnswers();
    const { page, calls } = await open({ path: '/keys?create=true', answers: { 'POST /keys': hold } });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Billing');
    const create = dialog.getByRole('button', { name: 'Create key' });
    await create.click();
    await page.getByRole('button', { name: 'Create key', disabled: true }).waitFor();
    await create.press('Enter');
    await create.press('Space');
    expect(await page.getByRole('dialog', { name: 'Save your key' }).count()).toBe(0);
    await give({ status: 201, body: created });
    await page.getByRole('dialog', { name: 'Save your key' }).waitFor();
    expect(calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/keys'))).toHaveLength(1);
  });

  it('that makes a secret shows it in a dialog that only "I have saved it" closes', async () => {
    const { page } = await open({
      path: '/keys?create=true',
      answers: { 'POST /keys': { status: 201, body: created } },
    });
    const dialog = page.getByRole('dialog', { name: 'Save your key' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Billing');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(created.warning).waitFor();
    const field = dialog.getByRole('textbox', { name: 'API key' });
    expect(await field.inputValue()).toBe(created.key);
    expect(await field.isEditable()).toBe(false);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe(created.key);
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
    const left = await page.evaluate<string>(
      'document.documentElement.outerHTML + JSON.stringify(history.state)',
    );
    expect(left.includes(created.key)).toBe(false);
  });

  it('that ends a key for good begins at "Cancel", wants the name, and says when it is done', async () => {
    const { page, calls } = await open({ path: `/keys/${KEY}` });
    const sent = () => calls.filter(({ method }) => method === 'DELETE');
    const revoke = page.getByRole('button', { name: 'Revoke', exact: true });
    await revoke.click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await revoke.and(page.locator(':focus')).waitFor();
    await revoke.click();
    await dialog.getByRole('button', { name: 'Revoke key', disabled: true }).waitFor();
    await dialog.getByRole('textbox').press('Enter');
    expect(sent()).toEqual([]);
    await dialog.getByRole('textbox').fill(name);
    await dialog.getByRole('button', { name: 'Revoke key', disabled: false }).click();
    await page.getByRole('status').getByText('Key revoked.').waitFor();
    expect(sent()).toHaveLength(1);
  });

  it('that failed says why in its dialog, which has forgotten it when it opens again', async () => {
    const { hold, give } = heldAnswers();
    const { page } = await open({ path: `/keys/${KEY}`, answers: { [`DELETE /keys/${KEY}`]: hold } });
    const refuse = async () => {
      const refused = page.waitForResponse((response) => response.request().method() === 'DELETE');
      // The browser listens from here on.
      await page.evaluate('null');
      await give({ status: 403, body: { error: denied } });
      await (await refused).finished();
    };
    const dialog = page.getByRole('alertdialog');
    const said = dialog.getByText(denied.message);
    const confirm = async () => {
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await dialog.getByRole('textbox').fill(name);
      expect(await said.count()).toBe(0);
      await dialog.getByRole('button', { name: 'Revoke key', disabled: false }).click();
      await dialog.getByRole('button', { name: 'Revoke key', disabled: true }).waitFor();
    };
    await confirm();
    await refuse();
    await said.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Now it fails after the dialog was closed.
    await confirm();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await refuse();
    await page.evaluate('new Promise((drawn) => setTimeout(drawn, 100))');
    await confirm();
  });
});
