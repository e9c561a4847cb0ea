import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describeEmbedded } from './harness/composition';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const KIB = 1024;
const MIB = 1024 * KIB;
const SIZES = [2 * MIB, 600 * MIB];
const GROWTH_MAX = 20 * MIB;
/** By the length that is announced, and for unknown callers, paths and methods. */
const UNREAD = [400, 401, 404, 405];

/** One of each kind of path. */
const PATHS = [
  'POST /nothing/there',
  'PUT /v1/chat/completions',
  'POST /v1/chat/completions',
  'POST /v1/messages',
  'POST /v1/files',
  'POST /v1/fine_tuning/jobs',
  'DELETE /v1/files/file_1',
  'POST /api/v1/keys',
  'POST /platform/v1/organizations',
  'POST /status/nothing',
] as const;
const TYPES = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  '',
];
const CREDENTIALS = ['', 'authorization: Bearer svc_sk_nobody\r\n', 'x-api-key: nothing\r\n'];

/** Sends as much of a body as is taken. @returns the status. */
async function statusOf(baseUrl: string, head: string, bytes: number): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const chunk = Buffer.alloc(256 * KIB, 'a');
  let answer = '';
  let left = bytes;
  const send = (): void => {
    while (left > 0 && socket.writable) {
      left -= chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.setEncoding('utf8').on('data', (data: string) => (answer += data));
  socket.on('error', () => undefined).on('drain', send);
  socket.write(`${head}content-length: ${String(bytes)}\r\n\r\n`);
  send();
  await new Promise((resolve) => socket.once('close', resolve));
  return Number(answer.split(' ')[1]);
}

const residentBytes = async (pid: number): Promise<number> =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) * KIB;

describeEmbedded('a body that nobody reads', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });

  /** @returns what was answered as if the body had been read. */
  async function sendAll(): Promise<unknown[]> {
    const heads = PATHS.flatMap((path) =>
      TYPES.flatMap((type) => CREDENTIALS.map((credential) => [path, type, credential] as const)),
    );
    const surprises: unknown[] = [];
    for (const head of heads) {
      const [path, type, credential] = head;
      const contentType = type === '' ? '' : `content-type: ${type}\r\n`;
      const lines = `${path} HTTP/1.1\r\nhost: localhost\r\n${contentType}${credential}`;
      const statuses = await Promise.all(SIZES.map((size) => statusOf(svc.baseUrl, lines, size)));
      if (statuses.some((status) => !UNREAD.includes(status))) surprises.push([...head, statuses]);
    }
    return surprises;
  }

  it('is answered on every kind of path, and costs no memory', async () => {
    expect(await sendAll()).toEqual([]);
    const before = await residentBytes(svc.pid);
    await sendAll();
    expect((await residentBytes(svc.pid)) - before).toBeLessThan(GROWTH_MAX);
  });
});
