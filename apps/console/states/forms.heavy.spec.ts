import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forms, type FormUnderTest } from './forms-under-test';
import { isWrite, mendFocused, refused, withWrites, type Outcome } from './refused-forms';
import { consoles, describePages, problemsOfState, type Stub } from './stubbed-console';

const WEB = join(__dirname, '../web');
/** More fields than any form has that must be filled in. */
const TRIES_MAX = 12;
/** Lower than most forms are, as on a phone with its keyboard open. */
const LOW = { width: 375, height: 560 };
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';

const refusal = (code: string, more: object = {}): Stub => ({
  status: 400,
  body: { error: { code, message: `It failed: ${code}.`, retriable: false, ...more } },
});
const failed = refusal('conflict');
const waits = refusal('approval_required', { approval_request_id: 'apr_06dpm2q4x8k3c0v9r7t5w1hzny' });

const ledTo = (focus: Outcome['focus'], alert: RegExp) => ({
  focus,
  isFocusInSight: true,
  isButtonInSight: true,
  alerts: [expect.stringMatching(alert) as unknown],
});

/** Those that are tested here or in specs of their own, with what is theirs alone. */
const others = [
  'app/login/login-dialog.tsx',
  'pages/routing/policy-section.tsx',
  'operator/app/sign-in/token-form.tsx',
  'operator/pages/organizations/change-ceilings.tsx',
];

describe('the forms under test', () => {
  it('are all forms that there are', () => {
    const files = globSync('{pages,app,operator/pages,operator/app}/**/*.tsx', { cwd: WEB });
    const withForm = files.filter((file) =>
      /<(WriteForm|Form|FirstStep)\b/.test(readFileSync(join(WEB, file), 'utf8')),
    );
    expect(withForm.sort()).toEqual([...forms.map(({ file }) => file), ...others].sort());
  });
});

describePages('a form that is refused', () => {
  const open = consoles();

  async function openForm(form: FormUnderTest, write: () => Stub) {
    const { application = 'console', path, answers = {}, opens = [] } = form;
    const { page, calls } = await open({ application, path, answers: withWrites(answers, write) });
    for (const name of opens)
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('menuitem', { name, exact: true }))
        .first()
        .click();
    await page.locator('form [type=submit]').last().waitFor();
    await page.setViewportSize(LOW);
    return { page, writes: () => calls.filter(isWrite).length };
  }

  it.each(forms.map((form) => [form.file, form] as const))(
    'in %s leads to what is wrong, says so once, and keeps its buttons in sight',
    async (_, form) => {
      let answer = failed;
      const { page, writes } = await openForm(form, () => answer);
      // Who sees nothing but the field with the focus gets through the form.
      let outcome = await refused(page);
      for (let tries = 0; writes() === 0 && tries < TRIES_MAX; tries++) {
        expect(outcome).toEqual(ledTo('field', /^Check /));
        await mendFocused(page);
        outcome = await refused(page);
      }
      expect(outcome).toEqual(ledTo('error', /^It failed: conflict\./));
      if (form.application !== 'operator') {
        answer = waits;
        expect(await refused(page)).toEqual(ledTo('error', /^Waits for approval/));
      }
      if (form.param !== undefined) {
        answer = refusal('invalid_request', { param: form.param });
        expect(await refused(page)).toEqual(ledTo('field', /^Check the field ./));
      }
      expect(await problemsOfState(page)).toEqual([]);
    },
  );

  it('leads to the field of the policy that the API refused, once its dialog is closed', async () => {
    const refusedField = refusal('invalid_request', { param: 'denied_regions[0]' });
    const { page } = await open({
      path: '/routing',
      answers: { 'GET /usage': { body: { data: [] } }, 'PUT /policy': refusedField },
    });
    await page.getByRole('checkbox', { name: 'Zero retention only' }).check();
    await page.getByRole('button', { name: 'Review and save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('[data-wrong] :focus').waitFor();
    await page
      .getByRole('form', { name: 'Policy' })
      .getByRole('alert')
      .getByText(/Check /)
      .waitFor();
  });

  it('leads to the error of changed ceilings', async () => {
    const { page } = await openForm(
      {
        file: '',
        application: 'operator',
        path: '/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny',
        opens: ['Edit limits'],
      },
      () => failed,
    );
    await page.getByRole('textbox', { name: 'Requests per minute' }).fill('5');
    expect(await refused(page)).toEqual(ledTo('error', /^It failed: conflict\./));
  });

  it('leads to the filter that takes no such value', async () => {
    const { page } = await open({ path: '/requests' });
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('button', { name: 'HTTP status' }).click();
    const field = page.getByRole('textbox', { name: 'HTTP status' });
    await field.fill('never');
    await page.getByRole('button', { name: 'Apply' }).click();
    await field.and(page.locator(':focus')).waitFor();
    await page.getByRole('alert').getByText('Check the field HTTP status.').waitFor();
    expect(await problemsOfState(page)).toEqual([]);
  });

  it('leads to the operator’s token, which is missing or not known', async () => {
    const { page } = await open({ application: 'operator', isSignedOut: true });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Operator’s token').and(page.locator(':focus')).waitFor();
    await page.getByRole('alert').getByText('Check the field Operator’s token.').waitFor();
  });

  it('leads back to the password that was wrong, over a session that has ended', async () => {
    const ended = { status: 401, body: { error: { code: 'invalid_session', message: 'Ended.' } } };
    const message = 'The e-mail address or the password is wrong.';
    const wrong = { status: 401, body: { error: { code: 'invalid_login', message, retriable: false } } };
    const { page } = await open({
      path: '/keys',
      answers: { 'GET /keys': ended, 'POST /auth/login': wrong },
    });
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    const password = dialog.getByLabel('Password');
    await password.fill('not the password');
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
    await dialog.getByText(message).waitFor();
    await dialog.getByRole('alert').getByText('Check the field Password.').waitFor();
    await password.and(page.locator(':focus')).waitFor();
  });

  it('leads to the error of a change that was confirmed', async () => {
    let answer = failed;
    const { page } = await open({ path: `/keys/${KEY}`, answers: withWrites({}, () => answer) });
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    const name = (await dialog.locator('strong').first().innerText()).replace(/[“”]/g, '');
    const revoke = dialog.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.getAttribute('aria-description')).toBe('Type the name above first.');
    await dialog.getByRole('textbox').fill(name);
    await page.setViewportSize(LOW);
    expect(await refused(page)).toEqual(ledTo('error', /^It failed: conflict\./));
    answer = waits;
    expect(await refused(page)).toEqual(ledTo('error', /^Waits for approval/));
  });

  it('names all that is wrong, and leaves that out again once all is mended', async () => {
    const { page } = await open({ path: '/webhooks?create=true' });
    const dialog = page.getByRole('dialog', { name: 'Create webhook' });
    await dialog.getByRole('radio', { name: /Choose/ }).check();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    const said = dialog.getByRole('alert');
    await said.getByText(/Check 2 fields: .+ and .+\./).waitFor();
    expect(await problemsOfState(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'URL' }).fill('https://example.com/hook');
    await said.waitFor();
    await dialog.getByRole('checkbox').first().check();
    await said.waitFor({ state: 'detached' });
  });
});
