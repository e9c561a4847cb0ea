import { freePort } from '@svc/testing';
import { startInstallation, type Installation, type ServiceProcess } from '../harness/installation';
import { startService } from '../harness/service-process';
import { sleep } from '../harness/sleep';
import { type CatalogDocument } from '../harness/catalog-file';
import { ServiceAddress } from './service-address';

export const SERVICES = ['edge', 'management', 'auth', 'console', 'dispatcher', 'worker'] as const;
type ServiceName = (typeof SERVICES)[number];

/** How long both versions of a service run beside each other. */
const TOGETHER_MS = 1_500;

interface Replaced {
  readonly service: ServiceName;
  readonly readyMs: number;
  readonly drainedMs: number;
}

/** Separate services, whose processes can be replaced by those of another build while calls go on. */
export interface RolledServices {
  readonly svc: Installation;
  /**
   * Replaces each process of a service, one after the other: the new one is ready and takes calls before the old one gets none and
   * SIGTERM.
   * @param beforeStop is told each old process.
   * @throws Error where an old process does not end well.
   */
  roll(
    service: ServiceName,
    build: string,
    beforeStop: (old: ServiceProcess) => Promise<void>,
  ): Promise<Replaced>;
  stop(): Promise<void>;
}

/** Starts two edges, dispatchers and workers of a build, and one of each other service. */
export async function startRolledServices(build: string, catalog: CatalogDocument): Promise<RolledServices> {
  const addresses = new Map<string, ServiceAddress>();
  for (const name of SERVICES) addresses.set(name, await ServiceAddress.open());
  const svc = await startInstallation({
    ...{ edges: 2, dispatchers: 2, workers: 2, build, catalog },
    env: {
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
      SVC_WEBHOOK_RETRY_DELAYS: '1,1,1,1,1',
      SVC_STOP_DELAY_SECONDS: '1',
    },
    addressOf: (name, urls) => {
      for (const url of urls) addresses.get(name)?.add(url);
      return addresses.get(name)?.url ?? '';
    },
  });
  const running: Record<ServiceName, ServiceProcess[]> = {
    edge: [...svc.edges],
    management: [svc.management],
    auth: [svc.auth],
    console: [svc.console],
    dispatcher: [...svc.dispatchers],
    worker: [...svc.workers],
  };

  const roll: RolledServices['roll'] = async (service, to, beforeStop) => {
    const [address, processes] = [addresses.get(service), running[service]];
    let [readyMs, drainedMs] = [0, 0];
    for (const [at, old] of processes.entries()) {
      const startedAtMs = performance.now();
      const next = await startService(service, await freePort(), svc.environment, to);
      readyMs = Math.max(readyMs, performance.now() - startedAtMs);
      address?.add(next.url);
      await sleep(TOGETHER_MS);
      await beforeStop(old);
      address?.remove(old.url);
      const stoppedAtMs = performance.now();
      const code = await old.stop();
      if (code !== 0) throw new Error(`${service} ended with ${String(code)}. It printed:\n${old.logs()}`);
      drainedMs = Math.max(drainedMs, performance.now() - stoppedAtMs);
      processes[at] = next;
    }
    return { service, readyMs, drainedMs };
  };

  return {
    svc,
    roll,
    stop: async () => {
      await Promise.all(Object.values(running).flatMap((processes) => processes.map((each) => each.stop())));
      await svc.stop();
      await Promise.all(Array.from(addresses.values(), (address) => address.close()));
    },
  };
}
