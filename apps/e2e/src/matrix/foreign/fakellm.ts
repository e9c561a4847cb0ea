import { scenes, weatherInputs } from '../scenes';
import { type RunningUpstream } from '../running-upstream';
import { startPythonServer } from './python-server';

const rule = (name: string, when: object, respond: object) => ({ name, when, respond });
const said = (scene: keyof typeof scenes) =>
  rule(scene, { messages_contain: scenes[scene].words }, { content: scenes[scene].reply });
const toolCalls = weatherInputs.map((input) => ({ name: 'get_weather', arguments: input }));

const config = {
  version: 1,
  rules: [
    rule(
      'tool results',
      { messages_contain: scenes.tools.words, tool_result_contains: 'Sunny, 21 degrees' },
      { content: scenes.tools.reply },
    ),
    rule(
      'tools',
      { messages_contain: scenes.tools.words, tools_include: 'get_weather' },
      { tool_calls: toolCalls },
    ),
    said('text'),
    said('city'),
    said('picture'),
    rule('unknown', {}, { status: 400, error: 'No rule fits this prompt.' }),
  ],
};

export const startFakellm = (): Promise<RunningUpstream> =>
  startPythonServer({
    config,
    health: '/_fakellm/stats',
    args: (file, port) => ['-m', 'fakellm.cli', 'serve', '--config', file, '--port', port],
  });
