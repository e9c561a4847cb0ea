import { isSeparate, pythonOfThisRun, serversOfThisRun } from './harness/config';
import { freePorts } from '@svc/testing';
import { InstallationFolder } from './harness/installation-folder';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { post } from './harness/clients';
import { outputPattern, readPages, type Block, type Page } from './docs/page';
import { openPageFolder } from './docs/page-folder';
import { PageShell } from './docs/page-shell';

/** An error of the service in what a command printed: the command itself did not fail. */
const ERROR = /"error"\s*:\s*[{"]/;
const pages = readPages();
const blocks = pages.flatMap((page) => page.blocks);

function isRun({ language, isNotRun, isDistributed, file }: Block): boolean {
  if (isNotRun || isDistributed !== isSeparate) return false;
  if (language === 'python') return pythonOfThisRun !== null;
  return language === 'sh' || language === 'js' || file !== null;
}

describe('the pages of docs', () => {
  let svc: SharedSvc;
  let endpointId: string;
  beforeAll(async () => {
    svc = await sharedSvc();
    const created = await post(svc, '/api/v1/webhook-endpoints', { url: 'https://hooks.example.com/svc' });
    endpointId = ((await created.json()) as { endpoint: { id: string } }).endpoint.id;
  });

  /** The variables that the page's first lines tell its reader to export. */
  async function variablesOf(page: Page): Promise<Record<string, string>> {
    if (page.blocks.some(({ isServer }) => isServer)) {
      const [service, receiver] = await freePorts(2);
      return { SVC_PORT: String(service), PORT: String(receiver), OLLAMA_URL: svc.simulator.url };
    }
    return {
      SVC_BASE_URL: svc.baseUrl,
      SVC_API_KEY: svc.apiKey,
      SVC_PLATFORM_TOKEN: svc.platformToken ?? '',
      SVC_DATA_DIR: svc.dataDir,
      ORGANIZATION_ID: svc.organizationId,
      ENDPOINT_ID: endpointId,
      ...(isSeparate ? await serverVariables() : {}),
    };
  }
  async function serverVariables(): Promise<Record<string, string>> {
    const secrets = await new InstallationFolder(svc.dataDir).read();
    return { SVC_DATABASE_URL: secrets?.databaseUrl ?? '', SVC_REDIS_URL: serversOfThisRun().redisUrl };
  }

  describe.each(pages.filter((page) => page.blocks.some(isRun)).map((page) => [page.path, page] as const))(
    '%s',
    (_, page) => {
      let shell: PageShell;
      beforeAll(async () => {
        shell = new PageShell(await openPageFolder(await variablesOf(page)), pythonOfThisRun);
      });
      afterAll(() => shell.close());

      it.each(page.blocks.filter(isRun).map((block) => [block.at, block] as const))(
        'has at %s a block that works as printed',
        async (__, block) => {
          const printed = await shell.run(block);
          expect(printed).not.toMatch(ERROR);
          if (block.output !== null) expect(printed).toMatch(outputPattern(block.output));
        },
      );
    },
  );

  it.each(blocks.filter(({ isNotRun }) => isNotRun).map(({ at, reason }) => [at, reason]))(
    'say why the block at %s is not run: %s',
    (_, reason) => {
      expect(reason).toMatch(/\w+ \w+/);
    },
  );

  it('write commands in blocks of `sh`, which are run', () => {
    for (const { at, language } of blocks)
      expect([at, language]).not.toContainEqual(expect.stringMatching(/^(bash|shell|console|zsh)$/));
  });

  it('name the address, the key and the operator’s token alike', () => {
    for (const { text } of pages)
      expect(text).not.toMatch(/\$\{?(BASE_URL|SVC_URL|API_KEY|PLATFORM_TOKEN)\b/);
  });
});
