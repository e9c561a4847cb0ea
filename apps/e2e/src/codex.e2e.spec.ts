import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codexFor, type Codex, type CodexLine } from './agents/codex';
import { nodeClientsOfThisRun } from './harness/config';
import { modelOf, startMatrixWorld, type MatrixWorld } from './matrix/matrix-world';
import { scenes } from './matrix/scenes';
import { upstreams, simulatorUpstream } from './matrix/upstreams';

const PROTOCOLS = ['responses', 'openai', 'anthropic'] as const;
const upstreamsOfThisRun = upstreams.filter(({ needsPython }) => !needsPython);
const cells = upstreamsOfThisRun.flatMap((upstream) =>
  PROTOCOLS.map((protocol) => ({ upstream, protocol, over: upstream.name })),
);

const describeInstalled = nodeClientsOfThisRun === null ? describe.skip : describe;

describeInstalled('Codex, with a provider of its own configuration', () => {
  let world: MatrixWorld;
  let codex: Codex;

  beforeAll(async () => {
    world = await startMatrixWorld(upstreamsOfThisRun);
    codex = await codexFor({ baseUrl: world.proxy.url, apiKey: world.svc.apiKey });
    await writeFile(join(codex.folder, 'note.txt'), 'The note says 4711.');
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.recorder.refusals.length = 0;
  });

  const saidIn = (lines: readonly CodexLine[]) =>
    lines.flatMap(({ type, item }) =>
      type === 'item.completed' && item?.type === 'agent_message' ? [item.text] : [],
    );

  it.each(cells)('answers over $over in the protocol of $protocol', async ({ upstream, protocol }) => {
    const prompt = world.upstream(upstream).promptOf('text', 1);
    const lines = await codex.ask(modelOf(upstream, protocol), prompt);
    expect(saidIn(lines)).toEqual([scenes.text.reply]);
    expect(lines.at(-1)).toMatchObject({ type: 'turn.completed' });
    expect(lines.at(-1)?.usage?.input_tokens).toBeGreaterThan(0);
    expect(world.recorder.refusals).toEqual([]);
  });

  it.each(PROTOCOLS)('runs the command that a model in the protocol of %s calls', async (protocol) => {
    const call = { name: 'exec_command', arguments: { cmd: 'cat note.txt' } };
    const prompt = `Read the note. @simulator ${JSON.stringify({ tool_calls: [call] })}`;
    const lines = await codex.ask(modelOf(simulatorUpstream, protocol), prompt);
    const commands = lines.filter(({ type, item }) => type === 'item.completed' && item?.exit_code === 0);
    expect(commands).toHaveLength(1);
    expect(saidIn(lines)).toEqual([expect.stringContaining('The note says 4711.')]);
    expect(world.recorder.refusals).toEqual([]);
  });
});
