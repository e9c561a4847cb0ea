import { fileURLToPath } from 'node:url';
import { freePort, launch } from './candidate.mjs';
import { requestBytes } from './requests.mjs';

const program = fileURLToPath(new URL('./bare-proxy.mjs', import.meta.url));

export const bare = {
  name: 'bare',
  label: 'bare Fastify + undici proxy',
  async start({ node, upstream }) {
    const port = await freePort();
    const args = [program, String(port), String(upstream.port)];
    return launch({ name: 'the bare proxy', node, args, port, readyPath: '/readyz' });
  },
  requests: ({ path, upstream, body }) => [
    requestBytes(
      `/${upstream}${path}`,
      { authorization: 'Bearer caller-key' },
      { model: 'bench-1', ...body },
    ),
  ],
};
