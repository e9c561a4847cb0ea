import { join } from 'node:path';
import { exitOf, outputOf, spawnProgram } from '../harness/app-process';
import { describeEmbedded } from '../harness/composition';
import { startSvc } from '../harness/svc-process';
import { removeFolder, temporaryFolder } from '../harness/temporary-folder';

const PROGRAM = join('dist', 'apps', 'all-in-one', 'src', 'reset-password', 'reset-password.js');
const BASE_URL = 'http://localhost:8080';

describeEmbedded('the command that lets somebody in again', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });
  afterEach(() => removeFolder(dataDir));

  async function run(address: string): Promise<{ code: number | null; output: string }> {
    const child = spawnProgram([PROGRAM, address], { SVC_DATA_DIR: dataDir, SVC_BASE_URL: BASE_URL });
    const output = outputOf(child);
    return { code: await exitOf(child), output: output.text };
  }

  /** The path of the link. */
  async function link(address: string): Promise<string> {
    const { code, output } = await run(address);
    expect([code, output]).toEqual([0, expect.stringContaining(`\n${BASE_URL}/auth/password-reset/svc_pr_`)]);
    return new URL(/^http\S+$/m.exec(output)![0]).pathname;
  }

  it('prints a link beside the running service, and while it is stopped', async () => {
    const first = await startSvc({ dataDir });
    const opens = async (baseUrl: string, path: string) => (await fetch(baseUrl + path)).status;
    const beside = await link(first.ready.owner_email.toUpperCase());
    expect(await opens(first.baseUrl, beside)).toBe(200);
    expect(await run('nobody@example.com')).toEqual({
      code: 1,
      output: 'reset-password: No user has the address nobody@example.com.\n',
    });
    await first.stop();

    const stopped = await link(first.ready.owner_email);

    const second = await startSvc({ dataDir });
    expect(await opens(second.baseUrl, stopped)).toBe(200);
    expect(await opens(second.baseUrl, beside)).toBe(404);
    await second.stop();
  });

  it('makes no installation where there is none', async () => {
    const { code, output } = await run('owner@example.com');
    expect([code, output]).toEqual([
      1,
      `reset-password: Nothing is installed in ${dataDir}: set SVC_DATA_DIR or SVC_DATABASE_URL.\n`,
    ]);
  });
});
