import { catalogOf } from '../../harness/catalog-file';
import { startHalfOpenProxy, type HalfOpenProxy } from '../../harness/half-open-proxy';
import { startInstallation, type Installation } from '../../harness/installation';
import { type OwnServers } from '../../harness/real-servers';
import { startSimulator } from '../../harness/simulator-process';
import { type At } from '../lanes';
import { newBudgets, newKey, newTenant, type Tenant } from '../tenant';

const EDGES = 2;
/** The prefix of `application_name` of the sessions of the edges. */
export const EDGE_SESSIONS = 'edge-';
const CREDIT = 10n ** 13n;
/** Longer than any outage, so that no call to a provider times out in one. */
const PROVIDER_TIMEOUT_MS = 300_000;

/** An organization with budgets of every kind, and one of its keys. */
export interface Caller {
  readonly tenant: Tenant;
  readonly secret: string;
}

/** Two edges, a worker, and the other services behind the proxy, over servers of their own in which a spec may cause faults. */
export interface FaultInstallation {
  readonly svc: Installation;
  readonly servers: OwnServers;
  /** Between the first edge and PostgreSQL. */
  readonly line: HalfOpenProxy;
  newCaller(): Promise<Caller>;
  /** The edges, without the proxy, in turn: the nth call goes to edge n modulo their number. */
  at(caller: Caller): (nth: number) => At;
  stop(): Promise<void>;
}

export async function startFaultInstallation(): Promise<FaultInstallation> {
  const simulator = await startSimulator();
  const proxies: HalfOpenProxy[] = [];
  const timeoutMs = { first_byte: PROVIDER_TIMEOUT_MS, idle: PROVIDER_TIMEOUT_MS };
  const svc = await startInstallation({
    ownServers: true,
    edges: EDGES,
    catalog: catalogOf({ name: 'only', url: simulator.url, timeoutMs }),
    edgeEnvironment: async (nth, { SVC_DATABASE_URL = '' }) => {
      const url = new URL(SVC_DATABASE_URL);
      url.searchParams.set('application_name', EDGE_SESSIONS + String(nth));
      if (nth > 0) return { SVC_DATABASE_URL: url.href };
      const proxy = await startHalfOpenProxy(url.href);
      proxies.push(proxy);
      return { SVC_DATABASE_URL: proxy.url };
    },
  });
  const [line] = proxies;
  const { servers } = svc;
  if (line === undefined || servers === undefined) throw new Error('An edge or a server is missing.');
  return {
    svc,
    servers,
    line,
    newCaller: async () => {
      const tenant = await newTenant(svc, CREDIT);
      const key = await newKey(svc, tenant);
      await newBudgets(svc, tenant, key);
      return { tenant, secret: key.secret };
    },
    at:
      ({ secret: apiKey }) =>
      (nth) => ({ baseUrl: svc.edges[nth % EDGES]?.url ?? '', apiKey }),
    stop: async () => {
      // Otherwise an edge that waits for lost answers would not stop.
      line.cut();
      await svc.stop();
      await line.close();
      await simulator.stop();
    },
  };
}
