// A month of an invented organization: its projects, keys, budgets and policies, and calls that the simulator answers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../local/workspace.mjs';
import { apiOf, operatorOf, uploadOf } from './api.mjs';

const CALLS = 260;
const AT_ONCE = 6;
const DAYS = 60;

/** The shipped catalog, each of its providers being the simulator. */
export const simulatedCatalog = async () =>
  (await readFile(join(root, 'config/catalog.yaml'), 'utf8')).replace(
    /base_url: https:.*/g,
    'base_url: ${SVC_SIMULATOR_URL}/v1',
  );

/** Credentials of the platform: what they hold matters to no simulator. */
export const simulatedCredentials = Object.fromEntries(
  ['OPENAI', 'ANTHROPIC', 'GEMINI', 'MISTRAL', 'DEEPSEEK', 'GROQ', 'CEREBRAS'].map((name) => [
    `${name}_API_KEY`,
    'simulated',
  ]),
);

const projects = ['Support assistant', 'Document search', 'Internal tools'];
const keys = [
  { name: 'Chat widget', project: 0 },
  { name: 'Ticket triage', project: 0 },
  { name: 'Search answers', project: 1, rate_limit_rpm: 300 },
  { name: 'Nightly summaries', project: 2, rate_limit_rpm: 120 },
];
/** With how often each is called, and how long its first word takes. */
const models = [
  { model: 'anthropic/claude-sonnet-5', share: 5, delayMs: 420 },
  { model: 'openai/gpt-5.4', share: 4, delayMs: 380 },
  { model: 'openai/gpt-5.4-mini', share: 6, delayMs: 190 },
  { model: 'google/gemini-3.5-flash', share: 4, delayMs: 160 },
  { model: 'mistral/mistral-small-4', share: 3, delayMs: 140 },
  { model: 'meta/llama-3.3-70b', share: 4, delayMs: 60 },
  { model: 'deepseek/deepseek-v4-flash', share: 2, delayMs: 310 },
];

/** Calls that are refused before a provider is asked, with the place of their key. */
const refusedCalls = [
  { key: 3, times: 14, model: 'xai/grok-4.6' },
  { key: 0, times: 6, model: 'openai/gpt-5.4', n: 900 },
  { key: 1, times: 3, model: 'openai/gpt-3.5-turbo' },
];

/** Always the same numbers between 0 and 1: pictures change with the console alone. */
function seededNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param service of {@link startService}, nothing in it yet */
export async function inventMonth(service) {
  const api = apiOf(service);
  const made = await organize(api, service);
  await call(service, made);
  await beRefused(service, made);
  // The last counts of the edges are written within seconds.
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  await repeatOnEarlierDays(service);
  return { ...made, api, operator: operatorOf(service), upload: uploadOf(service) };
}

async function organize(api, { organization_id }) {
  await api('PATCH', `/organizations/${organization_id}`, { name: 'Northwind' });
  const madeProjects = [];
  for (const name of projects) madeProjects.push(await api('POST', '/projects', { name }));
  const madeKeys = [];
  for (const { project, ...key } of keys)
    madeKeys.push(
      await api('POST', '/keys', {
        ...key,
        scopes: ['inference:invoke'],
        project_id: madeProjects[project].id,
      }),
    );
  const month = { period: 'month', action: 'block' };
  await api('POST', '/budgets', {
    ...month,
    name: 'All of Northwind',
    scope: 'organization',
    scope_id: organization_id,
    amount_nanos: 2_000_000_000,
  });
  await api('POST', '/budgets', {
    ...month,
    name: 'Support assistant',
    scope: 'project',
    scope_id: madeProjects[0].id,
    amount_nanos: 600_000_000,
  });
  await api('POST', '/webhook-endpoints', {
    url: 'https://hooks.example.com/svc',
    description: 'Billing',
    event_types: ['wallet.*', 'payment.*'],
  });
  await api('POST', '/integrations', { kind: 'email', name: 'Finance', config: { roles: ['owner'] } });
  await api('POST', '/integrations', {
    kind: 'slack',
    name: 'On-call channel',
    config: { url: 'https://hooks.slack.com/services/T0/B0/x' },
    // Nothing is sent there: no payment fails.
    event_types: ['payment.failed'],
  });
  await api('POST', '/oauth-apps', {
    name: 'Cost charts',
    app_type: 'confidential',
    redirect_uris: ['https://charts.northwind.example/callback'],
    scopes: ['openid', 'usage:read'],
  });
  await api('PUT', '/policy', { denied_providers: ['xai'] });
  await api('PUT', '/policy', { denied_providers: ['xai'], sort: 'latency' });
  await api('PUT', '/policy', { denied_providers: ['xai', 'moonshotai'], sort: 'price', max_attempts: 3 });
  const rule = { severity: 'warning', notify: { roles: ['owner'] } };
  await api('POST', '/alert-rules', {
    ...rule,
    name: 'Spend of the month',
    metric: 'spend_nanos',
    period: 'month',
    threshold: 1_500_000_000,
  });
  await api('POST', '/alert-rules', {
    ...rule,
    name: 'Calls that fail',
    metric: 'error_rate_bps',
    threshold: 500,
  });
  await api('POST', '/exports', { kind: 'audit_log', format: 'csv' });
  const { accept_url: invitation } = await api('POST', '/members/invitations', {
    email: 'security@northwind.example',
    role: 'security_admin',
  });
  return { keys: madeKeys.map(({ key }) => key), invitation };
}

async function call({ base_url }, made) {
  const random = seededNumbers(7);
  const weighted = models.flatMap((model) => Array.from({ length: model.share }, () => model));
  const plans = Array.from({ length: CALLS }, () => planned(random, weighted, made.keys));
  let next = 0;
  const worker = async () => {
    for (let plan = plans[next++]; plan !== undefined; plan = plans[next++]) await answered(base_url, plan);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** One call: its key, its model, and what the simulator is told to do. */
function planned(random, weighted, secrets) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const { model, delayMs } = pick(weighted);
  const directive = {
    delay_ms: Math.round(delayMs * (0.7 + random() * 0.8)),
    usage: { output_tokens: 40 + Math.floor(random() * 900) },
    reply: 'Your order left our warehouse this morning and arrives on Thursday.',
  };
  const instructions = 'Answer in one sentence. '.repeat(50 + Math.floor(random() * 900));
  const luck = random();
  // The first endpoint of the plan fails, and another answers; or the only one does.
  if (luck < 0.03) Object.assign(directive, { status: 503, error_message: 'The model is overloaded.' });
  else if (luck < 0.05) Object.assign(directive, { status: 400, error_message: 'The prompt is too long.' });
  return {
    model,
    key: pick(secrets),
    directive,
    instructions,
    stream: random() < 0.7,
    session: `sess-${Math.floor(random() * 40)}`,
  };
}

async function beRefused({ base_url }, made) {
  for (const { key, times, ...body } of refusedCalls)
    for (let nth = 0; nth < times; nth++) {
      const { status } = await post(base_url, made.keys[key], {
        ...body,
        messages: [{ role: 'user', content: 'Hello' }],
      });
      if (status < 400 || status > 499) throw new Error(`${body.model} was answered with ${status}.`);
    }
}

async function answered(baseUrl, { model, key, directive, instructions, stream, session }) {
  const content = `@simulator ${JSON.stringify(directive)}`;
  const body = {
    model,
    stream,
    max_tokens: 1_000,
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content },
    ],
  };
  await post(baseUrl, key, body, { 'svc-session-id': session });
}

async function post(baseUrl, key, body, headers = {}) {
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer;
}

/**
 * The sums of today's calls are copied to the days before, more on workdays and from month to month: nobody waits for
 * sixty days. The calls themselves, the wallet and the ledger stay as they are.
 */
async function repeatOnEarlierDays({ query }) {
  const weight = `(CASE WHEN extract(isodow FROM day - back) > 5 THEN 0.35 ELSE 1 END
    * (1.15 - 0.008 * back) * (0.8 + 0.4 * (('x' || substr(md5(model || back), 1, 4))::bit(16)::int / 65536.0)))`;
  const counts = [
    'request_count',
    'failed_count',
    'cancelled_count',
    'input_tokens',
    'cached_input_tokens',
    'cache_write_tokens',
    'output_tokens',
    'reasoning_tokens',
    'customer_nanos',
  ];
  await query(
    `INSERT INTO usage_days (organization_id, day, project_id, api_key_id, model, provider, tag, ${counts.join(', ')})
     SELECT organization_id, day - back, project_id, api_key_id, model, provider, tag,
       ${counts.map((count) => `round(${count} * ${weight})::bigint`).join(', ')}
     FROM usage_days, generate_series(1, $1::int) AS back`,
    [DAYS],
  );
  const { rows } = await query(
    `SELECT column_name FROM information_schema.columns
     WHERE table_name = 'call_minutes' AND column_name NOT IN ('minute', 'duration_bounds', 'ttft_bounds')`,
  );
  const others = rows.map(({ column_name }) => column_name).join(', ');
  // A bound is a step of a few per cent: each day is a little faster or slower than the others.
  const shifted = (bounds) =>
    `ARRAY(SELECT bound + back * 7 % 4 - back * 5 % 3 FROM unnest(${bounds}) AS bound)`;
  await query(
    `INSERT INTO call_minutes (minute, duration_bounds, ttft_bounds, ${others})
     SELECT minute - make_interval(days => back), ${shifted('duration_bounds')}, ${shifted('ttft_bounds')}, ${others}
     FROM call_minutes, generate_series(1, 30) AS back`,
  );
}
