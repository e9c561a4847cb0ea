import { type FeatureName, type Protocol } from './feature-names';
import { startAimock } from './foreign/aimock';
import { startFakellm } from './foreign/fakellm';
import { startMocktopus } from './foreign/mocktopus';
import { type RunningUpstream } from './running-upstream';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { scenes, weatherInputs, type SceneName } from './scenes';

export interface RunningSimulator extends RunningUpstream {
  readonly simulator: Simulator;
}

export interface UpstreamUnderTest {
  readonly name: string;
  /** As its registry names it; null for the project's own. */
  readonly package: string | null;
  readonly needsPython: boolean;
  readonly protocols: readonly Protocol[];
  /** Features that it can answer to. */
  readonly features: readonly FeatureName[];
  /** True where the catalog says that Svc counts where it reports no usage. */
  readonly estimatesUsage?: boolean;
  /** For the page: what it is, and why a feature is not tried over it. */
  readonly about: string;
  start(): Promise<RunningUpstream>;
}

export const simulatorUpstream: UpstreamUnderTest = {
  name: 'simulator',
  package: null,
  needsPython: false,
  protocols: ['openai', 'anthropic', 'responses', 'embeddings'],
  features: [
    ...([
      'plain',
      'stream',
      'usage',
      'usageStreamed',
      'tools',
      'toolsStreamed',
      'schema',
      'schemaStreamed',
    ] as const),
    ...(['image', 'errors', 'cut', 'retry', 'cancel', 'replay', 'countTokens', 'models'] as const),
  ],
  about: "The project's own simulator. What needs an upstream that fails on command is tried over it alone.",
  start: async (): Promise<RunningSimulator> => {
    const simulator = await startSimulator();
    return { simulator, url: simulator.url, promptOf: simulatorPrompt, stop: () => simulator.stop() };
  },
};

/** A directive in the prompt tells the simulator its answer. To a schema it answers by itself. */
function simulatorPrompt(scene: SceneName, number: number): string {
  const prompt = `${scenes[scene].words} (${String(number)})`;
  if (scene === 'city') return prompt;
  const directive =
    scene === 'tools'
      ? { tool_calls: weatherInputs.map((input) => ({ name: 'get_weather', arguments: input })) }
      : { reply: scenes[scene].reply };
  return `${prompt} @simulator ${JSON.stringify(directive)}`;
}

const answers = [
  'plain',
  'stream',
  'usage',
  'usageStreamed',
  'tools',
  'toolsStreamed',
  'schema',
  'image',
] as const;

export const upstreams: readonly UpstreamUnderTest[] = [
  simulatorUpstream,
  {
    name: 'aimock',
    package: '@copilotkit/aimock',
    needsPython: false,
    protocols: ['openai', 'anthropic', 'responses', 'embeddings'],
    features: answers,
    about: 'From npm. It speaks all protocols, and answers each prompt as scripted.',
    start: startAimock,
  },
  {
    name: 'fakellm',
    package: 'fakellm',
    needsPython: true,
    protocols: ['openai', 'anthropic'],
    features: answers,
    estimatesUsage: true,
    about:
      'From PyPI. It speaks chat completions and messages. It reports no usage in streams of OpenAI’s: Svc counts it.',
    start: startFakellm,
  },
  {
    name: 'mocktopus',
    package: 'mocktopus',
    needsPython: true,
    protocols: ['openai'],
    features: answers.filter((feature) => feature !== 'toolsStreamed'),
    estimatesUsage: true,
    about:
      'From PyPI. It speaks chat completions. Its streams have no tools, and no usage: Svc counts it. Its messages have neither streams nor tools, and are not tried.',
    start: startMocktopus,
  },
];
