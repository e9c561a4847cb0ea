import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, outputOf, spawnProgram } from './harness/app-process';
import { nodeClientsOfThisRun } from './harness/config';
import { temporaryFolder } from './harness/temporary-folder';
import { modelOf, startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { scenes } from './matrix/scenes';
import { upstreams, simulatorUpstream } from './matrix/upstreams';

const PROTOCOLS = ['responses', 'openai', 'anthropic'] as const;
const upstreamsOfThisRun = upstreams.filter(({ needsPython }) => !needsPython);
const cells = upstreamsOfThisRun.flatMap((upstream) =>
  PROTOCOLS.map((protocol) => ({ upstream, protocol, over: upstream.name })),
);

/** A line of what `codex exec --json` prints. */
interface Line {
  readonly type: string;
  readonly item?: { readonly type: string; readonly text?: string; readonly exit_code?: number | null };
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
}

const describeInstalled = nodeClientsOfThisRun === null ? describe.skip : describe;

describeInstalled('Codex, with a provider of its own configuration', () => {
  let world: MatrixWorld;
  let folder: string;

  beforeAll(async () => {
    world = await startMatrixWorld(upstreamsOfThisRun);
    folder = await temporaryFolder();
    await mkdir(join(folder, 'home'));
    await mkdir(join(folder, 'work'));
    await writeFile(join(folder, 'work', 'note.txt'), 'The note says 4711.');
    await writeFile(
      join(folder, 'home', 'config.toml'),
      `model_provider = "svc"
[model_providers.svc]
name = "Svc"
base_url = "${world.proxy.url}/v1"
env_key = "SVC_API_KEY"
wire_api = "responses"
`,
    );
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.recorder.refusals.length = 0;
  });

  async function ask(model: string, prompt: string): Promise<readonly Line[]> {
    const program = join(String(nodeClientsOfThisRun), 'node_modules/@openai/codex/bin/codex.js');
    const flags = ['--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '--model', model];
    const child = spawnProgram(
      [program, 'exec', ...flags, prompt],
      { CODEX_HOME: join(folder, 'home'), SVC_API_KEY: world.svc.apiKey },
      join(folder, 'work'),
    );
    const [printed, problems] = [outputOf(child, ['stdout']), outputOf(child, ['stderr'])];
    const code = await exitOf(child);
    if (code !== 0) throw new Error(`Codex exited with ${String(code)}:\n${printed.text}\n${problems.text}`);
    return printed.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  }

  const saidIn = (lines: readonly Line[]) =>
    lines.flatMap(({ type, item }) =>
      type === 'item.completed' && item?.type === 'agent_message' ? [item.text] : [],
    );

  it.each(cells)('answers over $over in the protocol of $protocol', async ({ upstream, protocol }) => {
    const prompt = world.upstream(upstream).promptOf('text', 1);
    const lines = await ask(modelOf(upstream, protocol), prompt);
    expect(saidIn(lines)).toEqual([scenes.text.reply]);
    expect(lines.at(-1)).toMatchObject({ type: 'turn.completed' });
    expect(lines.at(-1)?.usage?.input_tokens).toBeGreaterThan(0);
    expect(world.recorder.refusals).toEqual([]);
  });

  it.each(PROTOCOLS)('runs the command that a model in the protocol of %s calls', async (protocol) => {
    const call = { name: 'exec_command', arguments: { cmd: 'cat note.txt' } };
    const prompt = `Read the note. @simulator ${JSON.stringify({ tool_calls: [call] })}`;
    const lines = await ask(modelOf(simulatorUpstream, protocol), prompt);
    const commands = lines.filter(({ type, item }) => type === 'item.completed' && item?.exit_code === 0);
    expect(commands).toHaveLength(1);
    expect(saidIn(lines)).toEqual([expect.stringContaining('The note says 4711.')]);
    expect(world.recorder.refusals).toEqual([]);
  });
});
