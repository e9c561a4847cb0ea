// The live list, open for minutes while calls come in: what the tab keeps must not grow.
import { setTimeout as pause } from 'node:timers/promises';
import { apiOf } from '../api.mjs';
import { say } from '../../local/workspace.mjs';
import { watchedPage } from './watched-page.mjs';

const CALLS_A_SECOND = 20;
const HEAP_MB = 20;
const NODES = 3_000;
const LISTENERS_MORE = 100;
const LOOK_EVERY_MS = 15_000;

export async function measureLive(context, service, bar, minutes) {
  const watched = await watchedPage(context, service.base_url);
  const calling = await startCalling(service);
  try {
    await watched.open('/requests?live=true');
    await pause(LOOK_EVERY_MS);
    const first = await watched.kept();
    const until = Date.now() + minutes * 60_000;
    let most = first;
    while (Date.now() < until) {
      await pause(Math.min(LOOK_EVERY_MS, Math.max(until - Date.now(), 0)));
      const now = await watched.kept();
      most = Object.fromEntries(Object.keys(now).map((name) => [name, Math.max(now[name], most[name])]));
      say(
        `live: ${calling.count} calls, ${now.heapMb.toFixed(1)} MB, ${now.nodes} nodes, ${now.listeners} listeners`,
      );
    }
    const during = `live for ${minutes} min`;
    bar.atMost(HEAP_MB, 'MB', `${during}: heap grown by`, most.heapMb - first.heapMb);
    bar.atMost(NODES, 'nodes', `${during}: nodes`, await watched.nodes());
    bar.atMost(LISTENERS_MORE, 'listeners', `${during}: more listeners`, most.listeners - first.listeners);
    bar.atMost(50, 'rows', `${during}: rows`, (await watched.page.getByRole('row').count()) - 1);
    bar.atMost(0, 'calls', `${during}: calls of the load that failed`, calling.failed);
  } finally {
    await calling.stop();
    await watched.page.close();
  }
}

/** Calls at the rate of the bar, with a key of its own, whose limit is above it. No budget refuses them. */
async function startCalling(service) {
  const api = apiOf(service);
  const { data: budgets } = await api('GET', '/budgets');
  for (const { id } of budgets) await api('PATCH', `/budgets/${id}`, { enabled: false });
  const { key } = await api('POST', '/keys', {
    name: 'Load of the live list',
    scopes: ['inference:invoke'],
    rate_limit_rpm: CALLS_A_SECOND * 60 * 2,
  });
  const told = { count: 0, failed: 0 };
  const open = new Set();
  const timer = setInterval(() => {
    told.count += 1;
    const call = callOnce(service, key)
      .then((isAnswered) => void (told.failed += isAnswered ? 0 : 1))
      .finally(() => open.delete(call));
    open.add(call);
  }, 1_000 / CALLS_A_SECOND);
  return Object.assign(told, {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  });
}

async function callOnce({ base_url }, key) {
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'simulator/echo',
      max_tokens: 50,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  }).catch(() => null);
  const text = await answer?.text();
  if (answer?.ok !== true) say(`live: a call failed: ${text ?? 'no answer'}`);
  return answer?.ok === true;
}
