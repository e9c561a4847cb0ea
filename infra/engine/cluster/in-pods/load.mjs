// Sends calls and streams at a steady rate until its input ends. It prints what became of each as a line of JSON, at once: `kubectl exec`
// may lose the end of a long output.
const [baseUrl, key] = process.argv.slice(1);
const CALLS_EVERY_MS = 250;
/** Some four seconds each. */
const STREAMS_EVERY_MS = 1_000;
const STREAM = { reply_words: 40, chunk_delay_ms: 100 };
const KEYS_EVERY_MS = 2_000;
const TIMEOUT_MS = 60_000;
const TRIES_MAX = 5;
const BEFORE_AGAIN_MS = 500;

const running = new Set();
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function post(path, body) {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  const refusal = answer.ok ? undefined : `${answer.status} ${/"code": ?"(\w+)"/.exec(text)?.[1] ?? ''}`;
  return { refusal, text, id: answer.headers.get('x-request-id') };
}

/** @returns its outcome, and the id of a call with a whole answer. */
const chat = (directive, stream) => async () => {
  const messages = [{ role: 'user', content: `@simulator ${JSON.stringify(directive)}` }];
  const body = { model: 'simulator/echo', max_tokens: 100, stream, messages };
  const { refusal, text, id } = await post('/v1/chat/completions', body);
  if (refusal !== undefined) return { outcome: refusal };
  const isWhole = !stream || text.trimEnd().endsWith('data: [DONE]');
  return isWhole ? { outcome: 'ok', id } : { outcome: 'cut' };
};

/** Each is an event, which a webhook tells. */
async function newKey() {
  const { refusal, text } = await post('/api/v1/keys', { name: 'an event', scopes: ['org:read'] });
  return refusal === undefined ? { outcome: 'ok', id: JSON.parse(text).api_key.id } : { outcome: refusal };
}

/** A call that was refused before anything was done is sent again, as clients do. */
async function send(kind, tryOnce) {
  for (let tries = 1; ; tries++) {
    const result = await tryOnce().catch(({ message, cause }) => ({
      outcome: `${message} ${cause?.code ?? ''}`,
    }));
    if (result.outcome !== '503 overloaded' || tries === TRIES_MAX)
      return print({ at: new Date().toISOString(), kind, tries, ...result });
    await new Promise((resolve) => setTimeout(resolve, BEFORE_AGAIN_MS));
  }
}
function start(kind, tryOnce) {
  const one = send(kind, tryOnce).finally(() => running.delete(one));
  running.add(one);
}

const clocks = [
  setInterval(start, CALLS_EVERY_MS, 'calls', chat({ delay_ms: 20 }, false)),
  setInterval(start, STREAMS_EVERY_MS, 'streams', chat(STREAM, true)),
  setInterval(start, KEYS_EVERY_MS, 'keys', newKey),
];
process.stdin.resume().once('end', async () => {
  for (const clock of clocks) clearInterval(clock);
  await Promise.all(running);
  print({ kind: 'end' });
  process.exit();
});
