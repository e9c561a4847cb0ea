// Bifrost (Go), in its two shapes: as fast as it gets, and with the features that Svc always has.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAiAnswers } from '../machine/catalog.mjs';
import { folder } from '../machine/servers.mjs';
import { freePort, launch } from './candidate.mjs';
import { requestBytes } from './requests.mjs';

/** The path of its binary. */
const program = process.env.SVC_BENCH_BIFROST;
const isThere = () => program !== undefined;

/** So much that no call is refused for its sake. */
const PLENTY = 1_000_000_000;

/** Without keys, log and governance. */
export const bifrost = {
  name: 'bifrost',
  label: 'Bifrost',
  isPeer: true,
  isThere,
  start: ({ upstream }) =>
    startBifrost('bifrost', {
      client: { enable_logging: false },
      providers: providersAt(upstream.port),
      config_store: { enabled: false },
      logs_store: { enabled: false },
    }),
  requests: ({ path, upstream, body }) => [requestBytes(path, {}, { model: `${upstream}/bench-1`, ...body })],
};

/** A virtual key with a budget and limits, and a log of every call in PostgreSQL; it books all of them after the call. */
export const bifrostGoverned = {
  name: 'bifrost-governed',
  label: 'Bifrost, key, budget, limits, log',
  isPeer: true,
  isThere,
  async start({ upstream, installation }) {
    const store = await storeOf(installation);
    const virtualKey = `sk-bf-${randomBytes(16).toString('hex')}`;
    const running = await startBifrost('bifrost-governed', {
      client: { enable_logging: true, enforce_auth_on_inference: true },
      providers: providersAt(upstream.port),
      governance: governanceOf(virtualKey),
      config_store: store,
      logs_store: store,
    });
    return { ...running, virtualKey, usesServers: true };
  },
  requests: ({ path, upstream, body }, { virtualKey }) => [
    requestBytes(path, { 'x-bf-vk': virtualKey }, { model: `${upstream}/bench-1`, ...body }),
  ],
};

async function startBifrost(name, settings) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'config.json'), JSON.stringify(settings));
  const port = await freePort();
  const args = ['-app-dir', own, '-host', '127.0.0.1', '-port', String(port), '-log-level', 'error'];
  return launch({ name: 'Bifrost', node: program, args, port, readyPath: '/health', cwd: own });
}

/** A provider for each answer of the upstream. */
const providersAt = (port) =>
  Object.fromEntries(
    openAiAnswers.map((answer) => [
      answer,
      {
        keys: [{ name: answer, value: 'provider-key', models: ['*'], weight: 1 }],
        network_config: { base_url: `http://127.0.0.1:${port}/${answer}` },
        custom_provider_config: { base_provider_type: 'openai' },
      },
    ]),
  );

const governanceOf = (virtualKey) => ({
  budgets: [{ id: 'budget', max_limit: PLENTY, reset_duration: '1M', virtual_key_id: 'key' }],
  rate_limits: [
    {
      id: 'limit',
      request_max_limit: PLENTY,
      request_reset_duration: '1m',
      token_max_limit: PLENTY,
      token_reset_duration: '1m',
    },
  ],
  virtual_keys: [
    {
      id: 'key',
      name: 'bench',
      value: virtualKey,
      is_active: true,
      rate_limit_id: 'limit',
      provider_configs: openAiAnswers.map((provider) => ({
        provider,
        allowed_models: ['*'],
        key_ids: ['*'],
        weight: 1,
      })),
    },
  ],
});

/** A database of its own on the PostgreSQL of the benchmark. */
async function storeOf(installation) {
  const { hostname, port, username, password, pathname } = new URL(await installation.newDatabase('bifrost'));
  return {
    enabled: true,
    type: 'postgres',
    config: {
      host: hostname,
      port,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      db_name: pathname.slice(1),
      ssl_mode: 'disable',
    },
  };
}
