import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describeEmbedded } from './harness/composition';
import { freePort } from './harness/free-ports';
import { runUntilExit, startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const run = promisify(execFile);

describeEmbedded('a first start', () => {
  let svc: Svc;
  beforeAll(async () => {
    svc = await startSvc({ env: { SVC_PORT: String(await freePort()) } });
  });
  afterAll(() => svc.stop());

  it('prints one SVC_READY line with exactly the promised fields', () => {
    expect(svc.logs().match(/^SVC_READY /gm)).toHaveLength(1);
    expect(svc.ready).toEqual({
      base_url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      api_key: expect.stringMatching(/^svc_sk_.{32,}$/),
      organization_id: expect.stringMatching(/^org_[0-9a-hjkmnp-tv-z]{26}$/),
      project_id: expect.stringMatching(/^proj_[0-9a-hjkmnp-tv-z]{26}$/),
      owner_email: 'owner@example.com',
      owner_password: expect.stringMatching(/^.{8,}$/),
      platform_token: expect.stringMatching(/^.{32,}$/),
    });
  });

  it('prints a banner with address, console login and key, for people', () => {
    const banner = svc.logs().replace(/^SVC_READY .*$/m, '');
    const { base_url, api_key, owner_email, owner_password } = svc.ready;
    for (const value of [base_url, api_key, owner_email, owner_password]) expect(banner).toContain(value);
  });

  it('prints three curl lines that work exactly as printed', async () => {
    const lines = svc.logs().match(/^ *curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { stdout } = await run('sh', ['-c', line]);
      expect(stdout).toContain('simulator/echo');
      expect(stdout).not.toContain('"error"');
    }
  });

  it('is alive, ready and measured', async () => {
    const get = (path: string) => fetch(svc.baseUrl + path);
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
    const metrics = await get('/metrics');
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await metrics.text()).toMatch(/^# TYPE \w+ (counter|gauge|histogram)$/m);
  });

  it('keeps its secrets out of the log and its folder closed to others', async () => {
    const log = svc
      .logs()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(log.length).toBeGreaterThan(0);
    for (const line of log) {
      expect(() => void JSON.parse(line)).not.toThrow();
      expect(line).not.toContain(svc.apiKey);
      expect(line).not.toContain(svc.ready.owner_password);
      expect(line).not.toContain('Hello');
    }
    expect(await readFile(`${svc.dataDir}/database-url`, 'utf8')).toMatch(/^postgres/);
  });
});

describeEmbedded('a start with', () => {
  it.each([
    ['SVC_PORT', 'eighty'],
    ['SVC_PORT', '70000'],
    ['SVC_MASTER_KEY', 'much-too-short'],
    ['SVC_DATABASE_URL', 'mysql://localhost/svc'],
    ['SVC_BOOTSTRAP_CREDIT_NANOS', '-5'],
    ['SVC_LOG_LEVEL', 'loud'],
  ])('a wrong %s says so in one line and exits with 1', async (name, value) => {
    const { code, output } = await runUntilExit({ [name]: value });
    expect(code).toBe(1);
    const lines = output.split('\n').filter((line) => line !== '');
    expect(lines).toEqual([expect.stringContaining(name)]);
    expect(output).not.toContain(value);
  });

  it('a wrong catalog names file, line and field', async () => {
    const { code, output } = await runUntilExit({ SVC_CATALOG_FILE: 'package.json' });
    expect(code).toBe(1);
    expect(output).toMatch(/package\.json:\d+/);
    expect(output).not.toMatch(/^\s+at /m);
  });

  it('a data folder that another process serves refuses in one line and harms nothing', async () => {
    const dataDir = await temporaryFolder();
    const svc = await startSvc({ dataDir });
    const { code, output } = await runUntilExit({ SVC_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(output).toContain(String(svc.pid));
    expect(output).not.toMatch(/^\s+at /m);
    expect((await fetch(`${svc.baseUrl}/readyz`)).status).toBe(200);
    await svc.stop();
    await removeFolder(dataDir);
  });

  it('given secrets keeps to them', async () => {
    const apiKey = `svc_sk_${'chosen'.repeat(8)}`;
    const svc = await startSvc({
      env: {
        SVC_BOOTSTRAP_API_KEY: apiKey,
        SVC_BOOTSTRAP_EMAIL: 'ada@example.org',
        SVC_PLATFORM_TOKEN: 'p'.repeat(40),
      },
    });
    expect(svc.ready).toMatchObject({ owner_email: 'ada@example.org' });
    const response = await fetch(`${svc.baseUrl}/v1/models`, { headers: { 'x-api-key': apiKey } });
    expect(response.status).toBe(200);
    await svc.stop();
  });
});
