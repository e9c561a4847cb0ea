// `npm run bench:scale -- files [mebibytes]`: uploads a training file of 512 MiB, unless another size is given, then one whose last line is wrong.
// Says what the management service's memory grew by, and how long each took. Fails where it grew by 64 MiB, or a file is answered otherwise.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, serviceNode } from '../local/workspace.mjs';
import { freePort, launch } from './candidates/candidate.mjs';
import { folder } from './machine/servers.mjs';
import { openWorld } from './world.mjs';

const MEBIBYTE = 1_048_576;
const BYTES = Number(process.argv[2] ?? 512) * MEBIBYTE;
const GROWTH_MAX_MEBIBYTES = 64;
const SAMPLE_EVERY_MS = 100;
const CHUNK_BYTES = 64 * 1024;
/** What Node.js takes of a container of 384 MiB. On a machine with more memory V8 collects later, and garbage would be counted. */
const HEAP = '--max-old-space-size=96';

const example = `${JSON.stringify({
  messages: [
    { role: 'user', content: 'Where is my order? '.repeat(40) },
    { role: 'assistant', content: 'Let me look. '.repeat(20) },
  ],
})}\n`;
const wrong = '{"messages":[{"role":"poet"}]}\n';
const chunk = Buffer.from(example.repeat(Math.ceil(CHUNK_BYTES / example.length)));

async function measure() {
  const world = await openWorld({ node: serviceNode() });
  try {
    const port = await freePort();
    const management = await launch({
      name: 'management',
      node: world.node,
      args: [join(root, 'dist/apps/management/src/main.js')],
      port,
      readyPath: '/readyz',
      cwd: root,
      env: {
        ...world.installation.environment,
        SVC_DATA_DIR: join(folder, 'data'),
        SVC_PORT: String(port),
        NODE_OPTIONS: HEAP,
      },
    });
    const { apiKey } = world.installation;
    // Whatever the first upload loads is no growth with the size.
    await upload(port, apiKey, 1, '');
    const good = await watched(management, () => upload(port, apiKey, BYTES, ''));
    const bad = await watched(management, () => upload(port, apiKey, BYTES - MEBIBYTE, wrong));
    report({ good, bad });
    await management.stop();
  } finally {
    await world.close();
  }
}

/** A form whose file has at most so many bytes, in whole lines, and ends as given. */
async function* formOf(bytes, end) {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nfine-tune\r\n');
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="train.jsonl"\r\n\r\n');
  yield chunk;
  for (let sent = chunk.length; sent + chunk.length + end.length <= bytes; sent += chunk.length) yield chunk;
  yield Buffer.from(`${end}\r\n--b--\r\n`);
}

async function upload(port, apiKey, bytes, end) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: ReadableStream.from(formOf(bytes, end)),
    duplex: 'half',
  });
  return answer.json();
}

async function watched(service, run) {
  const before = service.residentMegabytes();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, service.residentMegabytes())), SAMPLE_EVERY_MS);
  const startedAtMs = performance.now();
  const answer = await run();
  clearInterval(timer);
  return {
    answer,
    seconds: (performance.now() - startedAtMs) / 1000,
    growth: ((most - before) * 1e6) / MEBIBYTE,
  };
}

function report({ good, bad }) {
  const shown = ({ seconds, growth }) =>
    `${seconds.toFixed(1)} s, memory grew by ${growth.toFixed(1)} MiB at most`;
  say(`stored ${((good.answer.bytes ?? 0) / MEBIBYTE).toFixed(0)} MiB: ${shown(good)}`);
  say(`refused for its last line: ${shown(bad)}; ${bad.answer.error?.message}`);
  const isRefused =
    bad.answer.error?.code === 'invalid_training_file' && bad.answer.error.details.length === 1;
  const isStored = (good.answer.bytes ?? 0) > BYTES - MEBIBYTE;
  if (!isStored || !isRefused || Math.max(good.growth, bad.growth) >= GROWTH_MAX_MEBIBYTES)
    process.exitCode = 1;
}

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await measure();
