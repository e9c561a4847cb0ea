import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const OWNER_ONLY = 0o600;
const SIZE_MAX = 64 * 1024 * 1024;

interface OpenFile {
  readonly descriptor: number;
  size: number;
}

/** A log file that every start appends to. At 64 MiB it is renamed to `<path>.1`, which replaces the earlier one. */
export class LogFile {
  private file: OpenFile | null = null;

  constructor(
    private readonly path: string,
    private readonly sizeMax = SIZE_MAX,
  ) {}

  append(text: string): void {
    this.file ??= open(this.path);
    if (this.file.size >= this.sizeMax) {
      closeSync(this.file.descriptor);
      renameSync(this.path, `${this.path}.1`);
      this.file = open(this.path);
    }
    this.file.size += writeSync(this.file.descriptor, text);
  }
}

function open(path: string): OpenFile {
  const descriptor = openSync(path, 'a', OWNER_ONLY);
  return { descriptor, size: fstatSync(descriptor).size };
}
