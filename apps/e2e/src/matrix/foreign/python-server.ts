import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, outputOf, spawnPython } from '../../harness/app-process';
import { sleep } from '../../harness/sleep';
import { freePort } from '@svc/testing';
import { temporaryFolder } from '../../harness/temporary-folder';
import { scenes } from '../scenes';
import { type RunningUpstream } from '../running-upstream';

interface PythonServer {
  /** Written to a file; JSON is YAML. */
  readonly config: object;
  /** A path that answers 200 once the server listens. */
  readonly health: string;
  args(configFile: string, port: string): readonly string[];
}

const START_TIMEOUT_MS = 30_000;

export async function startPythonServer({ config, health, args }: PythonServer): Promise<RunningUpstream> {
  const file = join(await temporaryFolder(), 'config.yaml');
  await writeFile(file, JSON.stringify(config));
  const port = String(await freePort());
  const child = spawnPython(args(file, port));
  const output = outputOf(child);
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (
    !(await fetch(url + health).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${args(file, port).join(' ')} did not start. It printed:\n${output.text}`);
    await sleep(50);
  }
  return {
    url,
    promptOf: (scene, number) => `${scenes[scene].words} (${String(number)})`,
    stop: async () => void (await exitOf(child, 'SIGTERM')),
  };
}
