// How long the API takes for a page of requests, for each filter alone, for several together and for none.
import { p95 } from './bar.mjs';

const ANSWER_MS = 300;
const TIMES = 40;
const WARM_UPS = 3;
const PAGE = 'limit=50';
const DAY_MS = 86_400_000;

const ago = (days) => new Date(Date.now() - days * DAY_MS).toISOString();

/** The filters, by what they find. Those that find nothing search as far as a page may. */
const filtersFor = ({ id, api_key_id, project_id }) => ({
  'no filter': '',
  'a common status': 'status=succeeded',
  'a rare status': 'status=failed',
  'a status that no call has': 'status=cancelled',
  'a model': 'model=openai/gpt-5.4',
  'two models': 'model=openai/gpt-5.4,meta/llama-3.3-70b',
  'a model that nobody called': 'model=nobody/none',
  'a provider': 'provider=google',
  'a provider that nobody called': 'provider=nobody',
  'an HTTP status': 'http_status=502,503',
  'an HTTP status that no call has': 'http_status=418',
  'an error code': 'error_code=provider_error',
  'an error code that no call has': 'error_code=insufficient_funds',
  'a key': `api_key_id=${api_key_id}`,
  'a key that does not exist': 'api_key_id=key_06dpm2q4x8k3c0v9r7t5w1hzny',
  'a project': `project_id=${project_id}`,
  'a project that does not exist': 'project_id=proj_06dpm2q4x8k3c0v9r7t5w1hzny',
  'calls that count as failed': 'failed=true',
  'streams only': 'stream=true',
  'a session of the oldest calls': 'session_id=copied-1',
  'a session that does not exist': 'session_id=nobody',
  'calls that fell back': 'attempts_min=2',
  'calls of nine attempts': 'attempts_min=9',
  'dear calls': 'min_cost_nanos=1000000',
  'calls dearer than any': 'min_cost_nanos=1000000000000',
  'slow calls': 'min_duration_ms=400',
  'calls slower than any': 'min_duration_ms=3600000',
  'a late first token': 'min_ttft_ms=400',
  'a first token later than any': 'min_ttft_ms=3600000',
  'a user that no call has': 'user=nobody',
  'a trace that no call has': 'trace_id=4bf92f3577b34da6a3ce929d0e0e4736',
  'an hour 20 days ago': `created_after=${ago(20)}&created_before=${ago(20 - 1 / 24)}`,
  'all before 29 days ago': `created_before=${ago(29)}`,
  'the page behind an old call': `cursor=${Buffer.from(id).toString('base64url')}`,
  'all of them together, which none meets':
    `status=failed&model=openai/gpt-5.4&provider=openai&http_status=503&error_code=provider_error&stream=true` +
    `&api_key_id=${api_key_id}&project_id=${project_id}&session_id=nobody&attempts_min=2&min_cost_nanos=1` +
    `&min_duration_ms=1&min_ttft_ms=1&created_after=${ago(28)}&created_before=${ago(1)}`,
});

/** Adds the 95th percentile of each filter, of one request and of the sums to the bar. */
export async function measureAnswers(service, bar) {
  const old = await oneOf(service, `created_before=${ago(15)}`);
  const paths = Object.entries(filtersFor(old)).map(([what, query]) => [
    what,
    `/requests?${[PAGE, query].filter(Boolean).join('&')}`,
  ]);
  const all = [...paths, ['one request', `/requests/${old.id}`]];
  for (const [what, path] of all)
    bar.atMost(ANSWER_MS, 'ms', `answer, p95: ${what}`, p95(await timesOf(service, path)));
}

async function oneOf(service, query) {
  const { data } = await (await read(service, `/requests?limit=1&${query}`)).json();
  return data[0];
}

async function timesOf(service, path) {
  const times = [];
  for (let nth = -WARM_UPS; nth < TIMES; nth += 1) {
    const startedAt = performance.now();
    await (await read(service, path)).text();
    if (nth >= 0) times.push(performance.now() - startedAt);
  }
  return times;
}

async function read({ base_url, api_key }, path) {
  const answer = await fetch(`${base_url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
