import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../observability/logger';
import { ReloadedFile } from './reloaded-file';

const folder = mkdtempSync(join(tmpdir(), 'svc-reloaded-'));
const file = join(folder, 'words.json');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let lines: string[];
const newFile = (): ReloadedFile<string[]> => {
  lines = [];
  const logger = createLogger({ service: 'spec', level: 'info' }, { write: (line) => void lines.push(line) });
  return new ReloadedFile({ file, logger, parse: (text) => JSON.parse(text) as string[] });
};
const logged = () => lines.map((line) => JSON.parse(line) as unknown);

describe('a reloaded file', () => {
  it('is read at once, and again when told to', () => {
    writeFileSync(file, '["one"]');
    const words = newFile();
    const taken = words.current();
    writeFileSync(file, '["one", "two"]');
    expect(words.current()).toEqual(['one']);
    words.reload();
    expect(words.current()).toEqual(['one', 'two']);
    expect(taken).toEqual(['one']);
    expect(logged()).toMatchObject([{ level: 'info', file }]);
  });

  it.each<[string, () => void]>([
    ['broken', () => void writeFileSync(file, '["one')],
    ['gone', () => void rmSync(file)],
  ])('that is %s goes on holding as it was, and the log says why', (_, harm) => {
    writeFileSync(file, '["one"]');
    const words = newFile();
    harm();
    words.reload();
    expect(words.current()).toEqual(['one']);
    expect(logged()).toMatchObject([
      { level: 'error', file, err: { message: expect.any(String) as string } },
    ]);
  });

  it('that can not be used at the start stops the start', () => {
    writeFileSync(file, '["one');
    expect(newFile).toThrow(SyntaxError);
    rmSync(file);
    expect(newFile).toThrow('ENOENT');
  });
});
