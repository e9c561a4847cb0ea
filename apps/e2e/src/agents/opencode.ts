import { join } from 'node:path';
import { printedBy, spawnInstalled } from '../harness/app-process';
import { nodeClientsOfThisRun } from '../harness/config';
import { type Address } from '../harness/svc';

/** Asks opencode once, in a session of its own where the arguments name none. @returns what it printed. */
export function askOpencode(
  { baseUrl, apiKey }: Address,
  home: string,
  model: string,
  args: readonly string[],
): Promise<string> {
  const program = `node_modules/opencode-${process.platform}-${process.arch}-baseline/bin/opencode`;
  const config = {
    provider: {
      svc: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${baseUrl}/v1`, apiKey },
        models: { [model]: { name: 'Svc', limit: { context: 200_000, output: 8192 } } },
      },
    },
    model: `svc/${model}`,
    small_model: `svc/${model}`,
    share: 'disabled',
  };
  const folders = ['CONFIG', 'DATA', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, home] as const);
  const env = {
    HOME: home,
    TMPDIR: home,
    // It works there, whatever the folder of its process is.
    PWD: home,
    ...Object.fromEntries(folders),
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: 'true',
    OPENCODE_DISABLE_MODELS_FETCH: 'true',
    // Else it installs the types of its plugins at each start.
    npm_config_offline: 'true',
  };
  return printedBy(
    spawnInstalled(join(String(nodeClientsOfThisRun), program), ['run', '--pure', ...args], env, home),
  );
}
