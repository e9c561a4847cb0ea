import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exitOf, firstMatch, outputOf, spawnProgram, workspaceRoot } from './harness/app-process';
import { describeEmbedded } from './harness/composition';
import { freePort } from '@svc/testing';
import { type ReadyLine } from './harness/svc';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const run = promisify(execFile);

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => removeFolder(folder));

/** Starts a program in a folder, asks it a question, and stops it. */
async function answerOf(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<unknown> {
  const settings = { SVC_PORT: String(await freePort()), ...env };
  const child = spawnProgram([program], settings, cwd);
  const printed = await firstMatch(child, outputOf(child), /^SVC_READY (\{.*\})$/m);
  const { base_url, api_key } = JSON.parse(printed) as ReadyLine;
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key!}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(await exitOf(child, 'SIGTERM')).toBe(0);
  return answer.json();
}
const COMPLETION = { object: 'chat.completion', model: 'simulator/echo' };

describeEmbedded('what is shipped', () => {
  it('as the image that runs it all has everything that a start and a call need', async () => {
    const dockerfile = await readFile(join(workspaceRoot, 'infra/docker/Dockerfile'), 'utf8');
    expect(dockerfile).toContain(
      'ARG APP=all-in-one\nRUN node infra/docker/collect-runtime.mjs "$APP" /runtime',
    );
    const runtime = join(folder, 'runtime');
    await run(process.execPath, ['infra/docker/collect-runtime.mjs', 'all-in-one', runtime]);
    const env = { NODE_ENV: 'production', SVC_DATA_DIR: join(folder, 'data') };
    expect(await answerOf('dist/apps/all-in-one/src/main.js', runtime, env)).toMatchObject(COMPLETION);
  });

  it('as a package runs in any folder, and keeps its data there', async () => {
    const packing = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
    const [{ filename }] = JSON.parse(packing.stdout) as [{ readonly filename: string }];
    await run('tar', ['-xzf', filename], { cwd: folder });
    // As npm would have installed them beside it.
    await symlink(join(workspaceRoot, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, 'anywhere'));
    const { bin } = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    const program = join(folder, 'package', bin['svc']!);
    expect(await answerOf(program, join(folder, 'anywhere'), {})).toMatchObject(COMPLETION);
    expect(await readFile(join(folder, 'anywhere/.svc/first-start-secrets.env'), 'utf8')).toContain(
      'svc_sk_',
    );
  });
});
