import { LLMock } from '@copilotkit/aimock';
import { scenes, weatherInputs, type SceneName } from '../scenes';
import { type RunningUpstream } from '../running-upstream';

/** With the fields of both protocols: each reads its own. */
const usage = { prompt_tokens: 9, completion_tokens: 7, input_tokens: 9, output_tokens: 7 };

export async function startAimock(): Promise<RunningUpstream> {
  const aimock = new LLMock({ port: 0, logLevel: 'silent' });
  const url = await aimock.start();
  const said = (scene: SceneName) => ({ content: scenes[scene].reply, usage });
  const toolCalls = weatherInputs.map((input) => ({ name: 'get_weather', arguments: JSON.stringify(input) }));
  const matched = (scene: SceneName) => ({ userMessage: scenes[scene].words });
  aimock.on({ ...matched('tools'), hasToolResult: true }, said('tools'));
  aimock.on(matched('tools'), { toolCalls, usage });
  for (const scene of ['text', 'city', 'picture'] as const) aimock.on(matched(scene), said(scene));
  return {
    url,
    promptOf: (scene, number) => `${scenes[scene].words} (${String(number)})`,
    stop: () => aimock.stop(),
  };
}
