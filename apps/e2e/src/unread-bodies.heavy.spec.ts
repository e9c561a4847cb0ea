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

const PIECE = Buffer.alloc(256 * KIB, 'a');

/** How a body of a size is told and sent: its header, and each piece of it. */
const FRAMINGS = [
  (bytes: number) => ({ header: `content-length: ${String(bytes)}`, piece: PIECE }),
  () => ({
    header: 'transfer-encoding: chunked',
    piece: Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')]),
  }),
];
type Framing = (typeof FRAMINGS)[number];

const BODIES = CREDENTIALS.flatMap((credential) =>
  SIZES.flatMap((size) => FRAMINGS.map((framing) => ({ credential, size, framing }))),
);

/** Sends as much of a body as is taken. @returns the status. */
async function statusOf(baseUrl: string, head: string, bytes: number, framing: Framing): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const { header, piece } = framing(bytes);
  let answer = '';
  let left = bytes;
  const send = (): void => {
    while (left > 0 && socket.writable) {
      left -= PIECE.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.setEncoding('utf8').on('data', (data: string) => (answer += data));
  socket.on('error', () => undefined).on('drain', send);
  socket.write(`${head}${header}\r\n\r\n`);
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

  /** @returns what was answered as if the body had been read. Those of one path and type come at once. */
  async function sendAll(): Promise<unknown[]> {
    const surprises: unknown[] = [];
    for (const [path, type] of PATHS.flatMap((one) => TYPES.map((other) => [one, other] as const))) {
      const contentType = type === '' ? '' : `content-type: ${type}\r\n`;
      const sent = BODIES.map(async ({ credential, size, framing }) => {
        const head = `${path} HTTP/1.1\r\nhost: localhost\r\n${contentType}${credential}`;
        const status = await statusOf(svc.baseUrl, head, size, framing);
        if (!UNREAD.includes(status)) surprises.push({ path, type, credential, size, status });
      });
      await Promise.all(sent);
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
