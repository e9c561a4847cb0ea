import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installLiteLlm } from '../../local/clients/python.mjs';
import { freePort, launch } from '../candidates/candidate.mjs';
import { folder } from '../machine/servers.mjs';
import { keysOf } from './catalog.mjs';

/** It imports some thousand modules before it listens. */
const READY_TIMEOUT_MS = 300_000;

/**
 * LiteLLM with a deployment for each account: a key, no database.
 * @param name of the candidate, which has accounts of its own.
 * @param routing settings beside its default strategy.
 */
export async function startLiteLlm(upstreamUrl, name, routing = {}) {
  const program = await installLiteLlm();
  const masterKey = `sk-${randomBytes(24).toString('hex')}`;
  const config = join(folder, `${name}.yaml`);
  writeFileSync(
    config,
    // JSON is YAML.
    JSON.stringify({
      model_list: keysOf(name).map((api_key) => ({
        model_name: 'cached',
        litellm_params: { model: 'openai/cached-1', api_base: upstreamUrl, api_key },
      })),
      router_settings: { routing_strategy: 'simple-shuffle', ...routing },
      general_settings: { master_key: masterKey },
    }),
  );
  const port = await freePort();
  const running = await launch({
    name: 'LiteLLM',
    node: program,
    args: ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
    port,
    readyPath: '/health/liveliness',
    // Else it asks a server for prices when it starts.
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    headers: { authorization: `Bearer ${masterKey}` },
    model: 'cached',
    stop: running.stop,
  };
}
