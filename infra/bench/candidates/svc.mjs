import { join } from 'node:path';
import { root } from '../../local/workspace.mjs';
import { freePort, launch } from './candidate.mjs';
import { requestBytes } from './requests.mjs';

/** The edge as it is deployed: a process of its own on PostgreSQL and Redis, every setting at its default. */
export const svc = {
  name: 'svc',
  label: 'Svc',
  async start({ node, installation }) {
    const port = await freePort();
    const args = [join(root, 'dist/apps/edge/src/main.js')];
    const env = { ...installation.environment, SVC_PORT: String(port) };
    const running = await launch({
      name: 'the edge',
      node,
      args,
      port,
      readyPath: '/readyz',
      cwd: root,
      env,
    });
    return { ...running, apiKey: installation.apiKey, usesServers: true };
  },
  /** The calls use the `apiKeys` in turn, default the first organization's key, and the `headers` in turn. */
  requests: ({ path, upstream, body, headers = [{}], apiKeys }, { apiKey }) =>
    (apiKeys ?? [apiKey]).flatMap((secret) =>
      headers.map((more) =>
        requestBytes(
          path,
          { authorization: `Bearer ${secret}`, ...more },
          { model: `bench/${upstream}`, ...body },
        ),
      ),
    ),
};
