import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../observability';
import { ReloadedFiles } from './reloaded-files';

const folder = mkdtempSync(join(tmpdir(), 'svc-reloaded-'));
const file = join(folder, 'words.json');
const second = join(folder, 'more.json');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let lines: string[];
const newFile = (files = [file]): ReloadedFiles<string[]> => {
  lines = [];
  const logger = createLogger({ service: 'spec', level: 'info' }, { write: (line) => void lines.push(line) });
  return new ReloadedFiles({
    files,
    logger,
    parse: (texts) => texts.flatMap(({ text }) => JSON.parse(text) as string[]),
  });
};
const logged = () => lines.map((line) => JSON.parse(line) as unknown);

describe('a reloaded file', () => {
  it('is read at once, and again by reload', () => {
    writeFileSync(file, '["one"]');
    const words = newFile();
    const taken = words.current();
    writeFileSync(file, '["one", "two"]');
    expect(words.current()).toEqual(['one']);
    words.reload();
    expect(words.current()).toEqual(['one', 'two']);
    expect(taken).toEqual(['one']);
    expect(logged()).toMatchObject([{ level: 'info', files: [file] }]);
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
      { level: 'error', files: [file], err: { message: expect.any(String) as string } },
    ]);
  });

  it('is read together with others, all or nothing', () => {
    writeFileSync(file, '["one"]');
    writeFileSync(second, '["two"]');
    const words = newFile([file, second]);
    expect(words.current()).toEqual(['one', 'two']);
    writeFileSync(file, '["three"]');
    writeFileSync(second, '["');
    words.reload();
    expect(words.current()).toEqual(['one', 'two']);
    writeFileSync(second, '["four"]');
    words.reload();
    expect(words.current()).toEqual(['three', 'four']);
  });

  it('is parsed again as it was read last, for what it refers to', () => {
    writeFileSync(file, '["one"]');
    let suffix = '!';
    const words = new ReloadedFiles({
      files: [file],
      logger: createLogger({ service: 'spec', level: 'silent' }),
      parse: ([read]) => (JSON.parse(read!.text) as string[]).map((word) => word + suffix),
    });
    writeFileSync(file, '["half-way');
    suffix = '?';
    words.parseAgain();
    expect(words.current()).toEqual(['one?']);
  });

  it('that is invalid stops the start', () => {
    writeFileSync(file, '["one');
    expect(newFile).toThrow(SyntaxError);
    rmSync(file);
    expect(newFile).toThrow('ENOENT');
  });
});
