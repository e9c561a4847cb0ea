// `npm run bench:scale -- files [mebibytes]`: uploads a training file of 512 MiB, unless another size is given, then one whose line 4,000,000 is
// wrong. Says what the management service's memory grew by, how long each took, and what calls of the edge took meanwhile: beside an upload over a line of
// 200 Mbit/s, and beside one from this machine, which is as fast as the service. Fails where it grew by 64 MiB, a file is
// answered otherwise, or calls were slower beside an upload by more than half than without one.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root, say, serviceNode } from '../local/workspace.mjs';
import { freePort, launch } from './candidates/candidate.mjs';
import { leaveFirstCore } from './machine/processes.mjs';
import { folder } from './machine/servers.mjs';
import { besideWords, isUnharmed, placeTheRest, steadyCalls } from './steady-calls.mjs';
import { openWorld } from './world.mjs';

const MEBIBYTE = 1_048_576;
const BYTES = Number(process.argv[2] ?? 512) * MEBIBYTE;
const GROWTH_MAX_MEBIBYTES = 64;
const SAMPLE_EVERY_MS = 100;
const CHUNK_BYTES = 64 * 1024;
const LINE_BYTES_PER_SECOND = 25_000_000;
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
  const others = leaveFirstCore();
  const world = await openWorld({ node: serviceNode() });
  try {
    await world.runningOf('svc');
    say(placeTheRest(others, 'the management service and who uploads'));
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
    const overLine = await uploadBeside(world, management, atPace(linesOfSize(BYTES), LINE_BYTES_PER_SECOND));
    const fast = await uploadBeside(world, management, linesOfSize(BYTES));
    alone.push(...(await steadyCalls(world, { windows: WINDOWS })));
    const bad = await watched(management, () => upload(port, apiKey, linesThenWrong()));
    say(besideWords(alone, overLine.beside, 'upload over a line of 200 Mbit/s'));
    say(besideWords(alone, fast.beside, 'upload from this machine'));
    report({ alone, stored: [overLine, fast], bad });
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

/** As a line of so many bytes a second delivers them. */
async function* atPace(chunks, bytesPerSecond) {
  const startedAtMs = performance.now();
  let bytes = 0;
  for (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    const aheadMs = (bytes / bytesPerSecond) * 1000 - (performance.now() - startedAtMs);
    if (aheadMs > 0) await pause(aheadMs);
  }
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

/** With the p99 of calls meanwhile. */
async function uploadBeside(world, service, lines) {
  const uploading = watched(service, () => upload(service.port, world.installation.apiKey, lines));
  const beside = await steadyCalls(world, { until: uploading });
  return { ...(await uploading), beside };
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

function report({ alone, stored, bad }) {
  const shown = ({ seconds, growth }) =>
    `${seconds.toFixed(1)} s, memory grew by ${growth.toFixed(1)} MiB at most`;
  for (const upload of stored) {
    say(`stored ${((upload.answer.bytes ?? 0) / MEBIBYTE).toFixed(0)} MiB: ${shown(upload)}`);
  }
  say(`refused for line ${WRONG_LINE}: ${shown(bad)}; ${bad.answer.error?.message}`);
  const details = bad.answer.error?.details ?? [];
  const isRefused =
    bad.answer.error?.code === 'invalid_training_file' &&
    details.length === 1 &&
    details[0].line === WRONG_LINE &&
    !JSON.stringify(bad.answer).includes(secret);
  const areStored = stored.every(({ answer }) => (answer.bytes ?? 0) > BYTES - MEBIBYTE);
  const growth = Math.max(...[...stored, bad].map((upload) => upload.growth));
  const areUnharmed = stored.every(({ beside }) => isUnharmed(alone, beside));
  if (!areStored || !isRefused || growth >= GROWTH_MAX_MEBIBYTES || !areUnharmed) process.exitCode = 1;
}

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
await measure();
