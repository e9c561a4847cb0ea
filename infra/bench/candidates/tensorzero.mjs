import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAiAnswers } from '../machine/catalog.mjs';
import { folder } from '../machine/servers.mjs';
import { freePort, launch } from './candidate.mjs';
import { requestBytes } from './requests.mjs';

/** The path of its binary. */
const program = process.env.SVC_BENCH_TENSORZERO;

/** TensorZero's gateway (Rust) with its observability off, so without records; it has no keys, limits or money here. */
export const tensorzero = {
  name: 'tensorzero',
  label: 'TensorZero, observability off',
  isPeer: true,
  isThere: () => program !== undefined,
  async start({ upstream }) {
    const port = await freePort();
    const settings = join(folder, 'tensorzero.toml');
    writeFileSync(settings, settingsOf(port, upstream.port));
    const args = ['--config-file', settings];
    return launch({ name: 'TensorZero', node: program, args, port, readyPath: '/status' });
  },
  requests: ({ path, upstream, body }) => [
    requestBytes(`/openai${path}`, {}, { model: `tensorzero::model_name::${upstream}`, ...body }),
  ],
};

const settingsOf = (port, upstreamPort) =>
  `[gateway]
bind_address = "127.0.0.1:${port}"
observability.enabled = false

${openAiAnswers
  .map(
    (answer) => `[models.${answer}]
routing = ["upstream"]

[models.${answer}.providers.upstream]
type = "openai"
model_name = "bench-1"
api_base = "http://127.0.0.1:${upstreamPort}/${answer}/v1/"
api_key_location = "none"
`,
  )
  .join('\n')}`;
