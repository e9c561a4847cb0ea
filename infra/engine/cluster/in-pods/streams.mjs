// Opens so many long streams at once, and prints how many of them ended in each way as one line of JSON.
import { once } from 'node:events';
import { request } from 'node:http';

const [baseUrl, key, count, chunks, host] = process.argv.slice(1);
const CHUNK_EVERY_MS = 500;

async function stream() {
  const directive = { reply_words: Number(chunks), chunk_delay_ms: CHUNK_EVERY_MS };
  const messages = [{ role: 'user', content: `@simulator ${JSON.stringify(directive)}` }];
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(host && { host }),
  };
  const body = JSON.stringify({ model: 'simulator/echo', max_tokens: 2_000, stream: true, messages });
  const call = request(`${baseUrl}/v1/chat/completions`, { method: 'POST', headers }).end(body);
  const [answer] = await once(call, 'response');
  const text = String(Buffer.concat(await answer.toArray()));
  if (answer.statusCode >= 300) return String(answer.statusCode);
  return text.trimEnd().endsWith('data: [DONE]') ? 'ok' : 'cut';
}

const ended = await Promise.all(
  Array.from({ length: Number(count) }, () => stream().catch(({ message }) => message)),
);
process.stdout.write(JSON.stringify(Object.groupBy(ended, (outcome) => outcome)));
