const MIB = 1024 * 1024;
const INSPECTOR = /Debugger listening on (ws:\/\/\S+)/;

/** For `NODE_OPTIONS`: lets a spec inspect the memory of the process it started. */
export const INSPECTED = '--inspect=127.0.0.1:0';

/** The live memory of a process after garbage collection: its heap and its buffers. */
export interface LiveMemory {
  mib(): Promise<number>;
  close(): void;
}

/** @param logs the output of the process so far. */
export async function openLiveMemory(logs: string): Promise<LiveMemory> {
  const url = INSPECTOR.exec(logs)?.[1];
  if (url === undefined) throw new Error('The process was not started with an inspector.');
  const socket = new WebSocket(url);
  const answers = new Map<number, (result: InspectorResult) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: InspectorResult };
    answers.get(id)?.(result);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let asked = 0;
  const ask = (method: string, params = {}) =>
    new Promise<InspectorResult>((resolve) => {
      const id = ++asked;
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    mib: async () => {
      await ask('HeapProfiler.collectGarbage');
      const { result } = await ask('Runtime.evaluate', {
        expression: '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())',
      });
      return Number(result?.value) / MIB;
    },
    close: () => {
      socket.close();
    },
  };
}

interface InspectorResult {
  readonly result?: { readonly value?: unknown };
}
