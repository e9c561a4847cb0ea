import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a name; empty when it has none, or no server answers. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

const TRY_MS = 1_000;
const TRIES = 2;

/**
 * Queries name servers directly (c-ares): the system resolver also reads the hosts file, and has four threads, which a few
 * unanswered names would block for everybody.
 * @param servers `address:port`; default: the machine's configuration.
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

/** The system resolver, `localhost` and the hosts file included. For installations that allow private hosts. */
export const systemAddresses: ResolveAddresses = async (hostname) => {
  const answers = await lookup(hostname, { all: true }).catch(() => []);
  return answers.map(({ address }) => address);
};
