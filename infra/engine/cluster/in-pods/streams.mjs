// Opens so many long streams at once, and prints how many of them ended in each way as one line of JSON.
const [baseUrl, key, count, chunks] = process.argv.slice(1);
const CHUNK_EVERY_MS = 500;

async function stream() {
  const directive = { reply_words: Number(chunks), chunk_delay_ms: CHUNK_EVERY_MS };
  const messages = [{ role: 'user', content: `@simulator ${JSON.stringify(directive)}` }];
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/echo', max_tokens: 2_000, stream: true, messages }),
  });
  const text = await answer.text();
  if (!answer.ok) return `${answer.status}`;
  return text.trimEnd().endsWith('data: [DONE]') ? 'ok' : 'cut';
}

const ended = await Promise.all(
  Array.from({ length: Number(count) }, () => stream().catch(({ message }) => message)),
);
process.stdout.write(JSON.stringify(Object.groupBy(ended, (outcome) => outcome)));
