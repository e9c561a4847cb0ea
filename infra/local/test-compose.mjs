// `npm run test:compose`: what docs/deploy.md says of Compose, by its own commands, in a copy of this clone, on the engine that
// `docker` reaches. Then a call, a restart of everything, another call, and a look at what containers show.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandsOfPage } from './commands-of-page.mjs';
import { freePorts } from './servers/background.mjs';
import { step, toolStep } from './steps.mjs';
import { root, say, toolEnv } from './workspace.mjs';

const SERVE_TIMEOUT_MS = 300_000;
const POLL_MS = 500;

const docker = (args, options = {}) =>
  spawnSync('docker', args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
if (docker(['info']).status !== 0) {
  say('NOT RUN test:compose: no Docker engine answers.');
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'svc-compose-'));
const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
for (const file of execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean))
  cpSync(join(root, file), join(folder, file));
const [port] = await freePorts(1, []);
/** Beside an installation that this machine may have. */
const project = `svc-test-${port}`;
const env = { ...toolEnv, COMPOSE_PROJECT_NAME: project, SVC_PUBLISH: `127.0.0.1:${port}` };
const compose = (...args) => docker(['compose', ...args], { cwd: folder, env });
const address = `http://127.0.0.1:${port}`;

let isRight = false;
try {
  const commands = commandsOfPage('docs/deploy.md', 'Compose').join('');
  const script = `cd '${folder}'\nset -euo pipefail\n${commands}`;
  await toolStep('the commands of docs/deploy.md, Compose', 'bash', ['-c', script], { env });
  await untilServing();
  const { api_key: key } = await firstReady();
  await expectCall(key, 'the first call');
  await step('restarting everything', () => compose('restart'));
  await untilServing();
  await expectCall(key, 'a call after the restart');
  expectNone('fatal lines', /^.*"level":"fatal".*$/gm, compose('logs', '--no-color').stdout);
  expectNoSecretIsShown();
  isRight = true;
} catch (error) {
  say(
    `${error.message}\n${compose('ps', '--all').stdout}${compose('logs', '--no-color', '--tail', '20').stdout}`,
  );
} finally {
  compose('down', '--volumes', '--timeout', '60');
  rmSync(folder, { recursive: true, force: true });
}
say(isRight ? '1 passed, 0 failed' : '0 passed, 1 failed');
process.exit(isRight ? 0 : 1);

async function untilServing() {
  await step('waiting for the services', async () => {
    const deadline = Date.now() + SERVE_TIMEOUT_MS;
    while (
      !(await fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (Date.now() > deadline) throw new Error(`${address}/readyz does not answer 200.`);
      await pause(POLL_MS);
    }
  });
}

async function firstReady() {
  const [, ready] = /SVC_READY (\{.*\})/.exec(compose('logs', '--no-color', 'set-up').stdout) ?? [];
  if (ready === undefined) throw new Error('The log of set-up has no line with SVC_READY.');
  return JSON.parse(ready);
}

async function expectCall(key, what) {
  const answer = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'hello' }] }),
  });
  if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
}

function expectNone(what, pattern, text) {
  const found = text.match(pattern) ?? [];
  if (found.length > 0) throw new Error(`There are ${what}:\n${found.join('\n')}`);
}

/** Neither the environment of a container nor its log has what is in the files. */
function expectNoSecretIsShown() {
  const ids = compose('ps', '--all', '--quiet').stdout.trim().split('\n');
  const shown = docker(['inspect', ...ids]).stdout + compose('logs', '--no-color').stdout;
  const secrets = join(folder, 'secrets/svc');
  const names = readdirSync(secrets).filter((name) =>
    shown.includes(readFileSync(join(secrets, name), 'utf8').trim()),
  );
  if (names.length > 0) throw new Error(`Containers show ${names.join(', ')}.`);
}
