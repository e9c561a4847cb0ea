import { join } from 'node:path';
import { printedBy, spawnInstalled } from '../harness/app-process';
import { nodeClientsOfThisRun } from '../harness/config';
import { type Address } from '../harness/svc';

/** Asks Claude Code once, in a session of its own where the arguments name none. @returns what it printed. */
export function askClaudeCode(
  { baseUrl, apiKey }: Address,
  home: string,
  model: string,
  args: readonly string[],
): Promise<string> {
  const program = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`;
  const env = {
    HOME: home,
    TMPDIR: home,
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_AUTH_TOKEN: apiKey,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const flags = ['--print', '--model', model, ...args];
  return printedBy(spawnInstalled(join(String(nodeClientsOfThisRun), program), flags, env, home));
}
