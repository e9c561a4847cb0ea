import { type Browser } from 'playwright-core';
import { type Visitor } from '../harness/console';
import { type AnySvc } from '../harness/svc';

const PASSWORD = 'a long new password';

/** Invites somebody to the organization, and accepts for them in a browser of their own. */
export async function newMember(
  browser: Browser,
  svc: AnySvc,
  role: string,
  email: string,
): Promise<Visitor> {
  const answer = await fetch(`${svc.baseUrl}/api/v1/members/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email, role }),
  });
  if (answer.status !== 201) throw new Error(`Inviting failed: ${await answer.text()}`);
  const { accept_url: url } = (await answer.json()) as { accept_url: string };
  const context = await browser.newContext();
  try {
    const form = await context.newPage();
    await form.goto(url);
    await form.getByLabel(/^(New p|P)assword/).fill(PASSWORD);
    await form.getByLabel('The same password again').fill(PASSWORD);
    await form.getByRole('button').first().click();
    await form.waitForURL(/\/console\//);
  } finally {
    await context.close();
  }
  return { email, password: PASSWORD };
}
