import { requestBytes } from './requests.mjs';

/** No proxy: the limit of the load and the upstream. */
export const direct = {
  name: 'direct',
  label: 'direct to the upstream',
  start: async ({ upstream }) => ({
    port: upstream.port,
    cpuMicros: upstream.cpuMicros,
    residentMegabytes: () => NaN,
    stop: async () => undefined,
  }),
  requests: ({ path, upstream, body }) => [
    requestBytes(
      `/${upstream}${path}`,
      { authorization: 'Bearer provider-key' },
      { model: 'bench-1', ...body },
    ),
  ],
};
