import { randomUUID } from 'node:crypto';
import { askClaudeCode } from './agents/claude-code';
import { exitOf, outputOf, spawnPython } from './harness/app-process';
import { anthropicClient, openAiClient } from './harness/clients';
import { nodeClientsOfThisRun, pythonOfThisRun } from './harness/config';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { temporaryFolder } from './harness/temporary-folder';

const model = 'simulator/echo';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const describePython = pythonOfThisRun === null ? describe.skip : describe;
const describeInstalled = nodeClientsOfThisRun === null ? describe.skip : describe;

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

async function read<T>(path: string): Promise<T> {
  const headers = { authorization: `Bearer ${svc.apiKey}` };
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, { headers });
  if (!answer.ok) throw new Error(`${path}: ${String(answer.status)} ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}

interface UsageRow {
  readonly end_user: string | null;
  readonly end_user_id: string;
  readonly requests: number;
}

/** The end users of the organization that every spec here has of its own. */
const endUsers = () => read<readonly UsageRow[]>('/usage?group_by=end_user');

/** A new organization on the same service, so that it counts nobody yet. */
async function startAgain(): Promise<void> {
  svc = await svc.withOtherOrganization();
}

describe('a person whom the official clients for Node.js name', () => {
  beforeAll(startAgain);

  it('is one end user, whichever field names them', async () => {
    const openAi = openAiClient(svc);
    await openAi.chat.completions.create({ model, messages, user: 'ada' });
    await openAi.chat.completions.create({ model, messages, safety_identifier: 'ada' });
    await openAi.chat.completions.create({ model, messages, user: 'bob', safety_identifier: 'ada' });
    await openAi.responses.create({ model, input: 'Hello', safety_identifier: 'ada' });
    await anthropicClient(svc).messages.create({
      model,
      max_tokens: 10,
      messages,
      metadata: { user_id: 'ada' },
    });
    await openAi.chat.completions.create(
      { model, messages, user: 'bob' },
      { headers: { 'Svc-End-User': 'ada' } },
    );
    expect(await endUsers()).toMatchObject([{ end_user: 'ada', requests: 6 }]);
  });
});

describe('a device that shows the account in neither form of Claude Code', () => {
  beforeAll(startAgain);

  it('is one end user over five sessions, in both forms', async () => {
    const device = 'd'.repeat(64);
    const forms = Array.from({ length: 5 }, () => randomUUID()).flatMap((session) => [
      JSON.stringify({ device_id: device, account_uuid: '', session_id: session }),
      `user_${device}_account__session_${session}`,
    ]);
    const client = anthropicClient(svc);
    for (const userId of forms)
      await client.messages.create({ model, max_tokens: 10, messages, metadata: { user_id: userId } });
    expect(await endUsers()).toMatchObject([{ requests: forms.length }]);
  });
});

const PYTHON = `
import json, sys
from anthropic import Anthropic
from openai import OpenAI

url, key, model = sys.argv[1:]
messages = [{"role": "user", "content": "Hello"}]
openai = OpenAI(base_url=url + "/v1", api_key=key)
openai.chat.completions.create(model=model, messages=messages, user="ada")
openai.chat.completions.create(model=model, messages=messages, safety_identifier="ada")
openai.responses.create(model=model, input="Hello", safety_identifier="ada")
Anthropic(base_url=url, api_key=key).messages.create(
    model=model, max_tokens=10, messages=messages, metadata={"user_id": "ada"}
)
`;

describePython('a person whom the official clients for Python name', () => {
  beforeAll(startAgain);

  it('is one end user, whichever field names them', async () => {
    const child = spawnPython(['-c', PYTHON, svc.baseUrl, svc.apiKey, model]);
    const printed = outputOf(child);
    const code = await exitOf(child);
    expect([code, printed.text]).toEqual([0, '']);
    expect(await endUsers()).toMatchObject([{ end_user: 'ada', requests: 4 }]);
  });
});

describeInstalled('Claude Code', () => {
  beforeAll(startAgain);

  it('is one end user over five sessions of one device', async () => {
    const home = await temporaryFolder();
    for (const word of ['one', 'two', 'three', 'four', 'five'])
      await askClaudeCode(svc, home, model, [`Say ${word}.`]);
    const users = await endUsers();
    expect(users).toHaveLength(1);
    expect(users[0]?.requests).toBeGreaterThanOrEqual(5);
  });
});
