import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a name; none where there are none, or nobody answers. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

const TRY_MS = 1_000;
const TRIES = 2;

/**
 * Asks name servers itself (c-ares): the system's own resolver would also read the hosts file, and has four threads, which a
 * few names that nobody answers for would block for everybody.
 * @param servers `address:port`; those that the machine is configured with without them.
 */
export function publicAddresses(servers?: readonly string[]): ResolveAddresses {
  const resolver = new Resolver({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.all([
      resolver.resolve4(hostname).catch(() => []),
      resolver.resolve6(hostname).catch(() => []),
    ]);
    return answers.flat();
  };
}

/** Where private hosts are allowed: as the machine resolves, `localhost` and the hosts file included. */
export const machineAddresses: ResolveAddresses = async (hostname) => {
  const answers = await lookup(hostname, { all: true }).catch(() => []);
  return answers.map(({ address }) => address);
};
