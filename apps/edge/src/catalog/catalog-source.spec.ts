import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@svc/runtime/observability';
import { catalogOf } from '../testing/edge-under-test';
import { CatalogSource } from './catalog-source';

const folder = mkdtempSync(join(tmpdir(), 'svc-catalog-'));
const file = join(folder, 'catalog.yaml');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let lines: string[];
const newSource = (): CatalogSource => {
  lines = [];
  const logger = createLogger(
    { service: 'edge', level: 'info' },
    { write: (line: string) => void lines.push(line) },
  );
  return new CatalogSource({ files: [file], environment: {}, logger });
};
const write = (...models: string[]): void => {
  writeFileSync(file, catalogOf(['http://127.0.0.1:9'], models));
};
const modelsOf = (source: CatalogSource): string[] => [...source.current().models.keys()];

describe('the catalog file', () => {
  it('is read at the start, and at each reload', () => {
    write('acme/small');
    const source = newSource();
    write('acme/small', 'acme/large');
    expect(modelsOf(source)).toEqual(['acme/small']);
    source.reload();
    expect(modelsOf(source)).toEqual(['acme/small', 'acme/large']);
  });

  it('is not swapped under a call that was planned on it', () => {
    write('acme/small');
    const source = newSource();
    const planned = source.current();
    write('acme/large');
    source.reload();
    expect([...planned.models.keys()]).toEqual(['acme/small']);
  });

  it.each<[string, () => void]>([
    [
      'broken',
      () => {
        writeFileSync(file, 'providers: [');
      },
    ],
    [
      'of another form',
      () => {
        writeFileSync(file, 'models: 5');
      },
    ],
    [
      'gone',
      () => {
        rmSync(file);
      },
    ],
  ])('that is %s changes nothing, and the log says why', (_, harm) => {
    write('acme/small');
    const source = newSource();
    harm();
    source.reload();
    expect(modelsOf(source)).toEqual(['acme/small']);
    expect(lines).toEqual([expect.stringContaining(file)]);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error' });
  });

  it('that is invalid at the start stops the start, naming file and line', () => {
    writeFileSync(file, 'providers: []\nmodels: 5\n');
    expect(newSource).toThrow(`${file}:2`);
  });
});
