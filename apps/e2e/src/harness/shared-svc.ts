import { type CatalogDocument } from './catalog-file';
import { post } from './clients';
import { isSeparate } from './config';
import { startInstallation } from './installation';
import { newOrganization } from './new-organization';
import { simulatorAt, startSimulator, type Simulator } from './simulator-process';
import { installedOf, type AnySvc } from './svc';
import { SHARED_ENVIRONMENT, workerService, type WorkerService } from './worker-service';

interface SharedSvcOptions {
  /** Replaces the shipped catalog for this spec file. */
  readonly catalog?: (simulatorUrl: string) => CatalogDocument;
  /** The credit of the organization; default: that of a first start. */
  readonly creditNanos?: bigint;
}

/** A service that ends by itself, with an organization that is this spec file's own. */
export interface SharedSvc extends AnySvc {
  readonly simulator: Omit<Simulator, 'stop'>;
  /** The same service with one more new organization. */
  withOtherOrganization(creditNanos?: bigint): Promise<SharedSvc>;
}

const startedHere = new Set<{ stop(): Promise<unknown> }>();

afterAll(async () => {
  for (const started of startedHere) await started.stop();
});

/**
 * The service and the simulator that the spec files of this process of Jest share, one after the other. The organization is
 * new, and so is what belongs to it: keys, limits, money, records. No circuit is open.
 * Separate services are started for each spec file.
 */
export const sharedSvc = (options: SharedSvcOptions = {}): Promise<SharedSvc> =>
  isSeparate ? separateServices(options) : serviceOfThisWorker(options);

async function serviceOfThisWorker({ catalog, creditNanos }: SharedSvcOptions): Promise<SharedSvc> {
  const service = await workerService((running) =>
    catalog === undefined ? closesCircuits(running) : callsNewEndpoints(running, catalog),
  );
  const { simulatorUrl, pid, dataDir, output } = service;
  const used = catalog?.(simulatorUrl) ?? null;
  await service.useCatalog(used);
  for (const id of endpointIds(used)) service.calledEndpoints.add(id);
  const simulator = simulatorAt(simulatorUrl);
  await simulator.clearJournal();
  const begin = output.text.length;
  const logs = () => output.text.slice(begin);
  const first = { ...installedOf(service.ready), pid, dataDir, simulator, logs };
  return withNewOrganization(first, creditNanos);
}

async function withNewOrganization(
  svc: Omit<SharedSvc, 'withOtherOrganization'>,
  creditNanos?: bigint,
): Promise<SharedSvc> {
  const ready = { ...svc.ready, ...(await newOrganization(svc, creditNanos)) };
  const withOtherOrganization = (credit?: bigint) => withNewOrganization(svc, credit);
  return { ...svc, ...installedOf(ready), withOtherOrganization };
}

/** The state of a circuit outlives a catalog, and belongs to the id of an endpoint. */
async function callsNewEndpoints(
  { calledEndpoints, simulatorUrl }: WorkerService,
  catalog: NonNullable<SharedSvcOptions['catalog']>,
): Promise<boolean> {
  return !endpointIds(catalog(simulatorUrl)).some((id) => calledEndpoints.has(id));
}

const endpointIds = (catalog: CatalogDocument | null): readonly string[] =>
  (catalog?.endpoints ?? []).map(({ model, provider, region, upstream_model: upstream }) =>
    [model, provider, region, upstream].join('|'),
  );

/** True where a successful call of each endpoint of the shipped simulator closes what an earlier spec file may have left. */
async function closesCircuits(service: WorkerService): Promise<boolean> {
  await service.useCatalog(null);
  const svc = installedOf(service.ready);
  const messages = [{ role: 'user', content: 'Hello' }];
  const calls = ['simulator/echo', 'simulator/echo-mini'].flatMap((model) =>
    ['/v1/chat/completions', '/v1/messages'].map((path) =>
      post(svc, path, { model, max_tokens: 10, messages }),
    ),
  );
  const answers = await Promise.all([
    ...calls,
    post(svc, '/v1/embeddings', { model: 'simulator/embed', input: 'Hello' }),
  ]);
  for (const answer of answers) await answer.text();
  return answers.every(({ ok }) => ok);
}

/** Without payments where the catalog is not the shipped one: the simulator of that catalog simulates them. */
async function separateServices({ catalog, creditNanos }: SharedSvcOptions): Promise<SharedSvc> {
  if (catalog === undefined) {
    const svc = await startInstallation({ env: { ...SHARED_ENVIRONMENT, SVC_PAYMENTS: 'test' } });
    startedHere.add(svc);
    if (svc.simulator === undefined) throw new Error('The shipped catalog has no simulator.');
    return withNewOrganization({ ...svc, simulator: svc.simulator }, creditNanos);
  }
  const simulator = await startSimulator();
  // The providers of the shipped catalog, which that catalog may have too, are there.
  const env = { ...SHARED_ENVIRONMENT, SVC_SIMULATOR_URL: simulator.url };
  const svc = await startInstallation({ env, catalog: catalog(simulator.url) });
  startedHere.add(svc).add(simulator);
  return withNewOrganization({ ...svc, simulator }, creditNanos);
}
