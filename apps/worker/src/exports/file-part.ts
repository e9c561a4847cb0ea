import { createGzip, constants, type Gzip } from 'node:zlib';
import { type ExportCompression } from '@svc/exports';

/** A part of a file that is being written. Its bytes depend on its texts alone, and on where they are measured. */
interface FilePart {
  add(text: string): Promise<void>;
  /** The bytes so far. */
  measure(): Promise<number>;
  end(): Promise<Buffer>;
}

export const newFilePart = (compression: ExportCompression): FilePart =>
  compression === 'gzip' ? new GzipPart() : new PlainPart();

class PlainPart implements FilePart {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  add(text: string): Promise<void> {
    const chunk = Buffer.from(text);
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    return Promise.resolve();
  }

  measure(): Promise<number> {
    return Promise.resolve(this.bytes);
  }

  end(): Promise<Buffer> {
    return Promise.resolve(Buffer.concat(this.chunks));
  }
}

/** One member: members in a row are a gzip file (RFC 1952 section 2.2). It is compressed beside the event loop. */
class GzipPart implements FilePart {
  private readonly gzip: Gzip = createGzip();
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor() {
    this.gzip.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.bytes += chunk.length;
    });
  }

  async add(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.gzip.write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async measure(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.gzip.flush(constants.Z_SYNC_FLUSH, resolve);
    });
    return this.bytes;
  }

  async end(): Promise<Buffer> {
    const ended = new Promise<void>((resolve, reject) => {
      this.gzip.once('end', resolve).once('error', reject);
    });
    this.gzip.end();
    await ended;
    return Buffer.concat(this.chunks);
  }
}
