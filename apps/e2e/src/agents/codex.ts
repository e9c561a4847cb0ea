import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printedBy, spawnProgram } from '../harness/app-process';
import { nodeClientsOfThisRun } from '../harness/config';
import { type Address } from '../harness/svc';
import { temporaryFolder } from '../harness/temporary-folder';

/** A line of what `codex exec --json` prints. */
export interface CodexLine {
  readonly type: string;
  readonly thread_id?: string;
  readonly item?: { readonly type: string; readonly text?: string; readonly exit_code?: number | null };
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

/** Codex with a home of its own, in which Svc is its provider. */
export interface Codex {
  /** Where it works. */
  readonly folder: string;
  /** Asks in a new thread, or goes on with one. */
  ask(model: string, prompt: string, threadId?: string): Promise<readonly CodexLine[]>;
}

export async function codexFor({ baseUrl, apiKey }: Address): Promise<Codex> {
  const [home, folder] = [await temporaryFolder(), await temporaryFolder()];
  await writeFile(
    join(home, 'config.toml'),
    `model_provider = "svc"
[model_providers.svc]
name = "Svc"
base_url = "${baseUrl}/v1"
env_key = "SVC_API_KEY"
wire_api = "responses"
`,
  );
  const program = join(String(nodeClientsOfThisRun), 'node_modules/@openai/codex/bin/codex.js');
  return {
    folder,
    ask: async (model, prompt, threadId) => {
      const flags = ['--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '--model', model];
      const resumed = threadId === undefined ? [] : ['resume', threadId];
      const args = [program, 'exec', ...flags, ...resumed, prompt];
      const printed = await printedBy(spawnProgram(args, { CODEX_HOME: home, SVC_API_KEY: apiKey }, folder));
      return printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as CodexLine);
    },
  };
}
