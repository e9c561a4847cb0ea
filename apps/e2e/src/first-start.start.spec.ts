import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeEmbedded } from './harness/composition';
import { freePort } from '@svc/testing';
import { runUntilExit, startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const run = promisify(execFile);

describeEmbedded('a first start', () => {
  let svc: Svc;
  beforeAll(async () => {
    const [dataDir, port] = [await temporaryFolder(), await freePort()];
    svc = await startSvc({ dataDir, startsFresh: true, env: { SVC_PORT: String(port) } });
  });
  afterAll(async () => {
    await svc.stop();
    await removeFolder(svc.dataDir);
  });

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
    const get = (path: string, headers = {}) => fetch(svc.baseUrl + path, { headers });
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
    const metricsToken = await readFile(`${svc.dataDir}/metrics-token`, 'utf8');
    for (const other of ['', `Bearer ${svc.apiKey}`, `Bearer ${svc.platformToken ?? ''}`]) {
      expect((await get('/metrics', { authorization: other })).status).toBe(401);
    }
    const metrics = await get('/metrics', { authorization: `Bearer ${metricsToken}` });
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

  it('names each step when it begins, and draws over no line of a pipe', () => {
    for (const step of ['starting PostgreSQL', 'migrating the database', 'starting the services']) {
      expect(svc.logs()).toMatch(new RegExp(`^${step} …\\n[^]*^${step}: done in [\\d.]+ s$`, 'm'));
    }
    expect(svc.logs()).not.toMatch(/[\r\u001b]/);
  });

  it('keeps its secrets in a file for its owner’s shell, which the banner names', async () => {
    const file = join(svc.dataDir, 'first-start-secrets.env');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(svc.logs()).toContain('first-start-secrets.env');
    const names = ['BASE_URL', 'API_KEY', 'OWNER_EMAIL', 'OWNER_PASSWORD', 'PLATFORM_TOKEN'];
    const script = `. "$0"; printf '%s\\n' ${names.map((name) => `"$SVC_${name}"`).join(' ')}`;
    const { stdout } = await run('sh', ['-c', script, file]);
    const { base_url, api_key, owner_email, owner_password, platform_token } = svc.ready;
    expect(stdout.trim().split('\n')).toEqual([
      base_url,
      api_key,
      owner_email,
      owner_password,
      platform_token,
    ]);
  });

  it('tells a later start no secret, which leaves the file as it is', async () => {
    const file = join(svc.dataDir, 'first-start-secrets.env');
    const before = await readFile(file, 'utf8');
    await svc.stop();
    svc = await startSvc({ dataDir: svc.dataDir });
    expect(svc.ready).toMatchObject({ api_key: null, owner_password: null, platform_token: null });
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describeEmbedded('a start with', () => {
  // Which values are wrong, and what is said of each: apps/all-in-one/src/config.spec.ts.
  it('wrong variables names them in one line and exits with 1', async () => {
    const wrong = { SVC_PORT: 'eighty', SVC_MASTER_KEY: 'much-too-short' };
    const { code, output } = await runUntilExit(wrong);
    expect(code).toBe(1);
    const lines = output.split('\n').filter((line) => line !== '');
    expect(lines).toEqual([expect.stringMatching(/SVC_PORT.+SVC_MASTER_KEY/)]);
    for (const value of Object.values(wrong)) expect(output).not.toContain(value);
  });

  describe('something in its way names the variable and the remedy in one line, makes nothing, and exits with 1', () => {
    let home: string;
    beforeEach(async () => {
      home = await temporaryFolder();
    });
    afterEach(() => removeFolder(home));
    const refusalOf = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { code, output } = await runUntilExit({ SVC_DATA_DIR: join(home, 'data'), ...env });
      expect(code).toBe(1);
      expect(output.trim().split('\n')).toHaveLength(1);
      expect(existsSync(join(home, 'data'))).toBe(false);
      return output.trim();
    };

    it('a port that another program has', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      expect(await refusalOf({ SVC_PORT: String(port) })).toBe(
        `SVC_PORT: port ${String(port)} is in use by another program: stop that, or set another port`,
      );
      other.close();
    });

    it('a data folder that cannot be written to', async () => {
      const file = join(home, 'file');
      await writeFile(file, '');
      expect(await refusalOf({ SVC_DATA_DIR: join(file, 'data') })).toMatch(
        /^SVC_DATA_DIR: .+ cannot be written to \(\w+\): let this user write there, or set another folder$/,
      );
    });
  });

  it('a wrong catalog names file, line and field', async () => {
    const { code, output } = await runUntilExit({ SVC_CATALOG_FILE: 'package.json' });
    expect(code).toBe(1);
    expect(output).toMatch(/package\.json:\d+/);
    expect(output).not.toMatch(/^\s+at |starting PostgreSQL/m);
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
