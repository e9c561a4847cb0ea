import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPython, installLiteLlm } from '../../local/clients/python.mjs';
import { root } from '../../local/workspace.mjs';
import { openAiAnswers } from '../machine/catalog.mjs';
import { folder } from '../machine/servers.mjs';
import { freePort, launch } from './candidate.mjs';
import { requestBytes } from './requests.mjs';

const requirements = readFileSync(join(root, 'infra/local/clients/litellm-requirements.txt'), 'utf8');
export const LITELLM_VERSION = /^litellm==(\S+)/m.exec(requirements)[1];
/** It imports some thousand modules before it listens. */
const READY_TIMEOUT_MS = 300_000;

/** The peer from PyPI, with a key and without its database: no limits, money or records. */
export const litellm = {
  name: 'litellm',
  label: `LiteLLM ${LITELLM_VERSION}`,
  isPeer: true,
  isThere: () => findPython() !== undefined,
  start: ({ upstream }) =>
    startLiteLlm({
      name: 'litellm',
      deployments: openAiAnswers.map((answer) => ({
        model_name: answer,
        litellm_params: {
          model: 'openai/bench-1',
          api_base: `http://127.0.0.1:${upstream.port}/${answer}/v1`,
          api_key: 'provider-key',
        },
      })),
    }),
  requests: ({ path, upstream, body }, { masterKey }) => [
    requestBytes(path, { authorization: `Bearer ${masterKey}` }, { model: upstream, ...body }),
  ],
};

/**
 * Starts LiteLLM, which is installed first where it is missing.
 * @param name of its settings file.
 * @param deployments its `model_list`.
 * @param routing settings beside its default strategy.
 * @returns the running candidate with its `masterKey`.
 */
export async function startLiteLlm({ name, deployments, routing = {} }) {
  const program = await installLiteLlm();
  // It refuses a weak one.
  const masterKey = `sk-${randomBytes(24).toString('hex')}`;
  const settings = join(folder, `${name}.yaml`);
  writeFileSync(
    settings,
    // JSON is YAML.
    JSON.stringify({
      model_list: deployments,
      router_settings: { routing_strategy: 'simple-shuffle', ...routing },
      general_settings: { master_key: masterKey },
    }),
  );
  const port = await freePort();
  const running = await launch({
    name: 'LiteLLM',
    node: program,
    args: ['--config', settings, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'],
    port,
    readyPath: '/health/liveliness',
    // Else it asks a server for prices when it starts.
    env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
  return { ...running, masterKey };
}
