// The environment of every scenario: servers, installation, upstream, load, and candidates, which start when first needed.
import { bare } from './candidates/bare.mjs';
import { bifrost, bifrostGoverned } from './candidates/bifrost.mjs';
import { direct } from './candidates/direct.mjs';
import { externalCandidate } from './candidates/external.mjs';
import { litellm } from './candidates/litellm.mjs';
import { portkey } from './candidates/portkey.mjs';
import { svc } from './candidates/svc.mjs';
import { tensorzero } from './candidates/tensorzero.mjs';
import { startLoad, startUpstream } from './load/load.mjs';
import { catalog } from './machine/catalog.mjs';
import { install } from './machine/installation.mjs';
import { startServers } from './machine/servers.mjs';

/** By their names. */
export const candidates = Object.fromEntries(
  [direct, bare, svc, portkey, litellm, bifrost, bifrostGoverned, tensorzero].map((candidate) => [
    candidate.name,
    candidate,
  ]),
);

/** @param external describes a gateway that runs already, if any. */
export async function openWorld({ node, upstreamPort = 0, external }) {
  if (external !== undefined) candidates.external = externalCandidate(external);
  const servers = await startServers();
  const upstream = await startUpstream(node, upstreamPort);
  const load = await startLoad(node);
  const installation = await install({
    node,
    servers,
    catalogText: catalog(upstream.port),
    providerKeys: { BENCH_PROVIDER_KEY: 'provider-key' },
  });
  const parts = { node, servers, upstream, load, installation };
  const running = new Map();

  /** Started once, and kept for later scenarios. One that does not start is not tried again. */
  const runningOf = (name) => {
    if (!running.has(name)) running.set(name, candidates[name].start(parts));
    return running.get(name);
  };
  return {
    ...parts,
    runningOf,
    requestsOf: async (name, call) => candidates[name].requests(call, await runningOf(name)),
    async close() {
      const started = await Promise.allSettled(running.values());
      await Promise.all(started.map(({ value }) => value?.stop()));
      load.stop();
      upstream.stop();
      await installation.close();
      await servers.stop();
    },
  };
}
