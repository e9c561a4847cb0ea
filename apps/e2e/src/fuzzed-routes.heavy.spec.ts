import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf, spawnFuzzer } from './harness/app-process';
import { describeEmbedded } from './harness/composition';
import { fuzzerOfThisRun } from './harness/config';
import { startSvc, type Svc } from './harness/svc-process';

const FOLDER = join('apps', 'e2e', 'python', 'fuzzer');
const METRICS_TOKEN = 'the token of the metrics';
/** Fixed, in the nightly tier too: what is found in one night is found in the next. */
const SEED = '20260101';
const EXAMPLES_OF_AN_OPERATION = '20';
const GROWTH_MAX_BYTES = 100 * 1024 * 1024;

/** `npm run test:fuzz` alone has the fuzzer. */
const describeFuzzed = fuzzerOfThisRun === null ? describe.skip : describeEmbedded;

describeFuzzed('every route of the OpenAPI document', () => {
  let svc: Svc;
  let scopes: readonly string[];
  beforeAll(async () => {
    svc = await startSvc({ env: { SVC_METRICS_TOKEN: METRICS_TOKEN, SVC_MANAGEMENT_RPM: '1000000' } });
    const keys = await fetch(`${svc.baseUrl}/api/v1/keys`, {
      headers: { authorization: `Bearer ${svc.apiKey}` },
    });
    ({ scopes } = ((await keys.json()) as { data: [{ scopes: readonly string[] }] }).data[0]);
  });
  afterAll(() => svc.stop());

  /** @returns the report of a run that found something, empty otherwise. */
  async function found(...args: readonly string[]): Promise<string> {
    const document = `${svc.baseUrl}/api/v1/openapi.json`;
    const fuzzer = spawnFuzzer(
      [
        '--no-color',
        '--config-file',
        join(FOLDER, 'schemathesis.toml'),
        'run',
        document,
        '--seed',
        SEED,
        ...args,
      ],
      { SVC_FUZZED: JSON.stringify({ ...svc.ready, pid: svc.pid, metrics_token: METRICS_TOKEN, scopes }) },
    );
    const output = outputOf(fuzzer);
    const [code] = (await once(fuzzer, 'close')) as [number | null];
    // The findings, and how to repeat them, come after the progress.
    return code === 0
      ? ''
      : output.text.slice(Math.max(0, output.text.search(/^=+ (?:ERRORS|FAILURES) =+$/m)));
  }

  const residentBytes = async (): Promise<number> => {
    const status = await readFile(`/proc/${String(svc.pid)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  };

  it('answers its examples and every edge of its fields as documented, within a second of CPU', async () => {
    expect(await found('--phases', 'examples,coverage')).toBe('');
  });

  it('answers whatever else is made up as documented, and keeps no memory of it', async () => {
    const before = await residentBytes();
    expect(await found('--phases', 'fuzzing', '--max-examples', EXAMPLES_OF_AN_OPERATION)).toBe('');
    expect((await residentBytes()) - before).toBeLessThan(GROWTH_MAX_BYTES);
  });
});
