// The gateways that stand between the conversations and the provider's accounts.
import { startLiteLlm } from '../candidates/litellm.mjs';
import { portkey } from '../candidates/portkey.mjs';
import { svc } from '../candidates/svc.mjs';
import { keysOf } from './catalog.mjs';

/**
 * Starts all of them.
 * @param upstreamPort that of the simulator.
 * @returns each with its `url`, `headers` and `model`; the first one is the measure of the others.
 */
export async function startCandidates({ node, installation, upstreamPort }) {
  const upstreamUrl = `http://127.0.0.1:${upstreamPort}/v1`;
  const edge = await svc.start({ node, installation });
  const [byDefault, without] = await organizationsOf(installation);
  const svcAs = (apiKey) => ({
    url: `http://127.0.0.1:${edge.port}/v1`,
    headers: { authorization: `Bearer ${apiKey}` },
    model: 'bench/cached',
  });
  const gateway = await portkey.start({ node, upstream: { port: upstreamPort } });
  const litellm = await startLiteLlmAt(upstreamUrl, 'litellm');
  const sticky = await startLiteLlmAt(upstreamUrl, 'litellm-sessions', {
    optional_pre_call_checks: ['session_affinity'],
  });
  return {
    candidates: [
      {
        name: 'direct',
        label: 'one account, no gateway',
        url: upstreamUrl,
        headers: { authorization: `Bearer ${keysOf('direct')[0]}` },
        model: 'cached-1',
      },
      { name: 'svc', label: 'Svc', ...svcAs(byDefault) },
      { name: 'svc-off', label: 'Svc, affinity: off', ...svcAs(without) },
      { name: 'litellm', label: 'LiteLLM, simple-shuffle', ...litellm },
      {
        name: 'litellm-sessions',
        label: 'LiteLLM, session_affinity, sessions named',
        ...sticky,
        sessionHeader: 'x-litellm-session-id',
      },
      {
        name: 'portkey',
        label: 'Portkey, loadbalance',
        url: `http://127.0.0.1:${gateway.port}/v1`,
        headers: { 'x-portkey-config': loadBalanced(upstreamUrl) },
        model: 'cached-1',
      },
    ],
    stop: () => Promise.all([edge, gateway, litellm, sticky].map((running) => running.stop())),
  };
}

/** LiteLLM with a deployment for each account of this name. */
async function startLiteLlmAt(api_base, name, routing) {
  const deployments = keysOf(name).map((api_key) => ({
    model_name: 'cached',
    litellm_params: { model: 'openai/cached-1', api_base, api_key },
  }));
  const { port, masterKey, stop } = await startLiteLlm({ name, deployments, routing });
  return {
    url: `http://127.0.0.1:${port}/v1`,
    headers: { authorization: `Bearer ${masterKey}` },
    model: 'cached',
    stop,
  };
}

const loadBalanced = (custom_host) =>
  JSON.stringify({
    strategy: { mode: 'loadbalance' },
    targets: keysOf('portkey').map((api_key) => ({ provider: 'openai', api_key, custom_host, weight: 1 })),
  });

/** Keys of two organizations: one with a policy that says nothing, and one with `affinity: off`. */
async function organizationsOf({ database, organizationKeys: [byDefault, without] }) {
  const setPolicy = (secret, document) =>
    database.query(
      `UPDATE policy_versions SET document = $2 WHERE organization_id =
         (SELECT organization_id FROM api_keys WHERE secret_sha256 = sha256(convert_to($1, 'UTF8')))`,
      [secret, document],
    );
  await setPolicy(byDefault, {});
  await setPolicy(without, { affinity: 'off' });
  return [byDefault, without];
}
