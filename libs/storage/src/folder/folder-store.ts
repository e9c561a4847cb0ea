import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  bytesOf,
  requireKey,
  StorageError,
  type ByteRange,
  type ObjectStore,
  type StoredPart,
  type Upload,
} from '../object-store';
import { withinTime } from '../within-time';

const OWNER_ONLY = { file: 0o600, folder: 0o700 };
const CHUNK_BYTES = 1024 * 1024;
/** The file's length says which parts it has. A digest of each would keep a processor busy for nothing. */
const NO_ETAG = '';

/**
 * Objects as files. Parts are appended to one file, which gets its name when it is complete. A length that was committed is on the disk
 * (`fsync`); whatever follows it was never committed, and is cut off.
 */
export class FolderStore implements ObjectStore {
  constructor(private readonly folder: string) {}

  begin(key: string): Promise<Upload> {
    return attempted(async () => {
      const path = this.partial(key);
      await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY.folder });
      await using(await open(path, 'w', OWNER_ONLY.file), (file) => file.sync());
      return { key, id: '' };
    });
  }

  put({ key }: Upload, committed: readonly StoredPart[], body: Buffer): Promise<StoredPart> {
    return attempted(async () => {
      const length = bytesOf(committed);
      await using(await open(this.partial(key), 'r+'), async (file) => {
        if ((await file.stat()).size < length) throw lost(key);
        await file.truncate(length);
        await file.write(body, 0, body.length, length);
        await file.sync();
      });
      return { etag: NO_ETAG, bytes: body.length };
    });
  }

  complete({ key }: Upload, parts: readonly StoredPart[]): Promise<void> {
    return attempted(async () => {
      const length = bytesOf(parts);
      const [partial, whole] = [await sizeOf(this.partial(key)), await sizeOf(this.path(key))];
      if (partial === null && whole === length) return;
      if (partial === null || partial < length) throw lost(key);
      if (partial > length) {
        await using(await open(this.partial(key), 'r+'), async (file) => {
          await file.truncate(length);
          await file.sync();
        });
      }
      await rename(this.partial(key), this.path(key));
      await using(await open(dirname(this.path(key))), (folder) => folder.sync());
    });
  }

  abort({ key }: Upload): Promise<void> {
    return attempted(() => rm(this.partial(key), { force: true }));
  }

  async *read(key: string, { start, end }: ByteRange): AsyncIterable<Buffer> {
    const file = await attempted(() => open(this.path(key)));
    try {
      for (let at = start; at < end;) {
        const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - at));
        const { bytesRead } = await attempted(() => file.read(buffer, 0, buffer.length, at));
        if (bytesRead === 0) throw lost(key);
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  sizeOf(key: string): Promise<number | null> {
    return attempted(() => sizeOf(this.path(key)));
  }

  delete(key: string): Promise<void> {
    return attempted(async () => {
      await rm(this.partial(key), { force: true });
      await rm(this.path(key), { force: true });
    });
  }

  private readonly path = (key: string): string => join(this.folder, requireKey(key));
  /** A key has no dot, so no object has such a name. */
  private readonly partial = (key: string): string => `${this.path(key)}.partial`;
}

async function using<T>(file: FileHandle, work: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

const lost = (key: string): StorageError =>
  new StorageError('lost', `what was stored of ${key} is not there any more`);

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const REFUSALS = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'ENOTDIR', 'EEXIST'];

async function attempted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withinTime(work());
  } catch (error) {
    if (error instanceof StorageError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') throw new StorageError('lost', 'there is no such file', { cause: error });
    const failure = REFUSALS.includes(code) ? 'refused' : 'unavailable';
    throw new StorageError(failure, `the folder of objects failed (${code})`, { cause: error });
  }
}
