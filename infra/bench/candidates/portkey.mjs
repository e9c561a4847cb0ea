import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolStep } from '../../local/steps.mjs';
import { toolEnv } from '../../local/workspace.mjs';
import { freePort, launch } from './candidate.mjs';
import { requestBytes } from './requests.mjs';

const peers = fileURLToPath(new URL('../peers/', import.meta.url));
const program = join(peers, 'node_modules/@portkey-ai/gateway/build/start-server.js');

/** It calls loopback addresses only when configured. */
const environment = { TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' };

/** The peer that is an npm package, in its default configuration: without keys, limits, money or records. */
export const portkey = {
  name: 'portkey',
  label: '@portkey-ai/gateway 1.15.2',
  isPeer: true,
  async start({ node, upstream }) {
    await install();
    const port = await freePort();
    const args = [program, `--port=${port}`, '--headless'];
    const running = await launch({ name: 'Portkey', node, args, port, readyPath: '/', env: environment });
    return { ...running, upstreamPort: upstream.port };
  },
  requests({ path, upstream, body, provider = 'openai' }, { upstreamPort }) {
    const hostOf = (name) => `http://127.0.0.1:${upstreamPort}/${name}/v1`;
    const headers = {
      authorization: 'Bearer provider-key',
      ...(upstream === 'fallback'
        ? { 'x-portkey-config': fallbackConfig(['failing', 'plain'].map(hostOf)) }
        : { 'x-portkey-provider': provider, 'x-portkey-custom-host': hostOf(upstream) }),
    };
    return [requestBytes(path, headers, { model: 'bench-1', ...body })];
  },
};

const fallbackConfig = (hosts) =>
  JSON.stringify({
    strategy: { mode: 'fallback' },
    targets: hosts.map((custom_host) => ({ provider: 'openai', api_key: 'provider-key', custom_host })),
  });

/** Its postinstall only looks for patches, which the published package has not. */
async function install() {
  if (existsSync(program)) return;
  const args = ['ci', '--prefix', peers, '--ignore-scripts', '--no-audit', '--no-fund'];
  await toolStep('installing the peers', 'npm', args, { env: toolEnv });
}
