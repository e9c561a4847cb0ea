// `npm run bench:scale -- files [mebibytes]`: uploads a training file of 512 MiB, unless another size is given, then one whose line 4,000,000 is
// wrong. Says what the management service's memory grew by, how long each took, and what calls of the edge took meanwhile. Fails where it grew by
// 64 MiB, or a file is answered otherwise.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, serviceNode } from '../local/workspace.mjs';
import { freePort, launch } from './candidates/candidate.mjs';
import { folder } from './machine/servers.mjs';
import { besideWords, steadyCalls } from './steady-calls.mjs';
import { openWorld } from './world.mjs';

const MEBIBYTE = 1_048_576;
const BYTES = Number(process.argv[2] ?? 512) * MEBIBYTE;
const GROWTH_MAX_MEBIBYTES = 64;
const SAMPLE_EVERY_MS = 100;
const CHUNK_BYTES = 64 * 1024;
/** No more than Node.js takes of a container of 384 MiB. On a machine with more memory V8 collects later, and garbage would be counted. */
const HEAP = '--max-old-space-size=96 --max-semi-space-size=1';

const WINDOWS = 6;
const WRONG_LINE = 4_000_000;

const longLine = `${JSON.stringify({
  messages: [
    { role: 'user', content: 'Where is my order? '.repeat(40) },
    { role: 'assistant', content: 'Let me look. '.repeat(20) },
  ],
})}\n`;
const shortLine = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}\n';
const secret = 'of nobody else';
const wrongLine = `{"messages":[{"role":"poet","content":"${secret}"}]}\n`;

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
    await upload(port, apiKey, linesOfSize(MEBIBYTE));
    const alone = await steadyCalls(world, { windows: WINDOWS });
    const uploading = watched(management, () => upload(port, apiKey, linesOfSize(BYTES)));
    const beside = await steadyCalls(world, { until: uploading });
    const good = await uploading;
    const bad = await watched(management, () => upload(port, apiKey, linesThenWrong()));
    say(besideWords(alone, beside, 'upload'));
    report({ good, bad });
    await management.stop();
  } finally {
    await world.close();
  }
}

/** Chunks of so many lines each. */
function* repeated(line, count) {
  const many = Math.ceil(CHUNK_BYTES / line.length);
  const chunk = Buffer.from(line.repeat(many));
  for (let left = count; left > 0; left -= many) yield left >= many ? chunk : Buffer.from(line.repeat(left));
}

/** Whole lines of at most so many bytes. */
const linesOfSize = (bytes) => repeated(longLine, Math.floor(bytes / longLine.length));

function* linesThenWrong() {
  yield* repeated(shortLine, WRONG_LINE - 1);
  yield Buffer.from(wrongLine);
}

async function* formOf(lines) {
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nfine-tune\r\n');
  yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="train.jsonl"\r\n\r\n');
  yield* lines;
  yield Buffer.from('\r\n--b--\r\n');
}

async function upload(port, apiKey, lines) {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: ReadableStream.from(formOf(lines)),
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
  say(`refused for line ${WRONG_LINE}: ${shown(bad)}; ${bad.answer.error?.message}`);
  const details = bad.answer.error?.details ?? [];
  const isRefused =
    bad.answer.error?.code === 'invalid_training_file' &&
    details.length === 1 &&
    details[0].line === WRONG_LINE &&
    !JSON.stringify(bad.answer).includes(secret);
  const isStored = (good.answer.bytes ?? 0) > BYTES - MEBIBYTE;
  if (!isStored || !isRefused || Math.max(good.growth, bad.growth) >= GROWTH_MAX_MEBIBYTES)
    process.exitCode = 1;
}

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await measure();
