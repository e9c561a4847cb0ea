import { residentMegabytes, treeCpuMicros } from '../machine/processes.mjs';
import { requestBytes } from './requests.mjs';

/**
 * A gateway that was started beside the benchmark, as docs/benchmarks/README.md shows.
 * @param text `name=litellm,port=4000,pid=123,key=sk-1234,model={upstream}`; `{upstream}` becomes the name of the answer.
 */
export function externalCandidate(text) {
  const {
    name,
    port,
    pid,
    key,
    model = '{upstream}',
  } = Object.fromEntries(
    text.split(',').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const id = Number(pid);
  return {
    name: 'external',
    label: name,
    isPeer: true,
    start: async () => ({
      port: Number(port),
      cpuMicros: () => treeCpuMicros(id),
      residentMegabytes: () => residentMegabytes(id),
      stop: async () => undefined,
    }),
    requests: ({ path, upstream, body }) => [
      requestBytes(
        path,
        { authorization: `Bearer ${key}` },
        { model: model.replace('{upstream}', upstream), ...body },
      ),
    ],
  };
}
