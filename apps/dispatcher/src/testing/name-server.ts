import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** The answer for a name: addresses, an alias, an error, or none at all. */
type NameRecord =
  | { readonly addresses: readonly string[] }
  | { readonly alias: string }
  | { readonly rcode: number }
  | 'silent';

const A = 1;
const CNAME = 5;
const AAAA = 28;
const HEAD_BYTES = 12;

/** A name server with the part of RFC 1035 that a stub resolver needs. */
export class NameServer {
  /** The names of all queries. */
  readonly asked: string[] = [];
  private readonly records = new Map<string, NameRecord>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, peer) => {
      this.answer(query, peer);
    });
  }

  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new NameServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${String(this.socket.address().port)}`;
  }

  set(name: string, record: NameRecord): void {
    this.records.set(name, record);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.close(() => {
        resolve();
      });
    });
  }

  private answer(query: Buffer, { port, address }: RemoteInfo): void {
    const { name, type, end } = questionIn(query);
    this.asked.push(name);
    const record = this.records.get(name) ?? { rcode: 3 };
    if (record === 'silent') return;
    const answers = this.answersTo(name, type, record);
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    head.writeUInt16BE(0x8180 | ('rcode' in record ? record.rcode : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    this.socket.send(Buffer.concat([head, query.subarray(HEAD_BYTES, end), ...answers]), port, address);
  }

  private answersTo(name: string, type: number, record: Exclude<NameRecord, 'silent'>): Buffer[] {
    if ('rcode' in record) return [];
    if ('alias' in record) {
      const target = this.records.get(record.alias);
      const rest =
        target === undefined || target === 'silent' ? [] : this.answersTo(record.alias, type, target);
      return [recordOf(name, CNAME, encoded(record.alias)), ...rest];
    }
    return record.addresses
      .filter((address) => (isIPv4(address) ? A : AAAA) === type)
      .map((address) => recordOf(name, type, addressBytes(address)));
  }
}

function questionIn(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encoded(name), fixed, data]);
}

const encoded = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ]);

/** IPv6 written out in full or with `::`. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const filled = [...groups(before), ...Array<number>(8).fill(0)].slice(0, 8 - groups(after).length);
  const bytes = Buffer.alloc(16);
  [...filled, ...groups(after)].forEach((group, at) => bytes.writeUInt16BE(group, at * 2));
  return bytes;
}
