import { scenes, weatherInputs } from '../scenes';
import { type RunningUpstream } from '../running-upstream';
import { startPythonServer } from './python-server';

const rule = (when: object, respond: object) => ({ type: 'llm.openai', when, respond });
const said = (scene: keyof typeof scenes) =>
  rule({ messages_contains: scenes[scene].words }, { content: scenes[scene].reply });
const toolCalls = weatherInputs.map((input, at) => ({
  id: `call_${String(at)}`,
  type: 'function',
  function: { name: 'get_weather', arguments: JSON.stringify(input) },
}));

const config = {
  version: 1,
  rules: [
    rule({ messages_regex: 'Sunny, 21 degrees.*Rain' }, { content: scenes.tools.reply }),
    rule({ messages_contains: scenes.tools.words }, { tool_calls: toolCalls }),
    said('text'),
    said('city'),
    said('picture'),
  ],
};

export const startMocktopus = (): Promise<RunningUpstream> =>
  startPythonServer({
    config,
    health: '/health',
    args: (file, port) => ['-m', 'mocktopus.cli', 'serve', '--scenario', file, '--port', port],
  });
