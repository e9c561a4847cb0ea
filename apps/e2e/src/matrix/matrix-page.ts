import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../harness/app-process';
import { featureTitles, type FeatureName } from './feature-names';
import { type EmbeddingClientUnderTest } from './embeddings/embedding-clients';
import { embeddingFeatureTitles } from './embeddings/embedding-features';
import { lackOf, protocolsFor, type ClientUnderTest } from './matrix-client';
import { upstreams, type UpstreamUnderTest } from './upstreams';

export const matrixPageFile = join(workspaceRoot, 'docs', 'clients.md');

const read = (file: string) => readFileSync(join(workspaceRoot, file), 'utf8');
type Versions = Readonly<Record<string, string>>;
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
};
/** The gateway itself uses one of the clients. */
const installed: Versions = { ...dependencies, ...devDependencies };
const { dependencies: apart } = JSON.parse(read('infra/local/clients/packages/package.json')) as {
  readonly dependencies: Versions;
};
const requirements = read('infra/local/clients/requirements.txt');

/** The version that is installed for the specs, without the alias of a package. */
function versionOf(name: string, language: ClientUnderTest['language']): string {
  const version =
    language === 'Node.js'
      ? (installed[name] ?? apart[name])
      : new RegExp(`^${name}(?:\\[.*\\])?==(\\S+)`, 'm').exec(requirements)?.[1];
  if (version === undefined) throw new Error(`There is no package ${name} for ${language}.`);
  return version.replace(/^npm:.*@/, '');
}

const packageOf = (name: string) => (/^npm:(.*)@/.exec(installed[name] ?? '') ?? [])[1] ?? name;

/** The page of docs/ with a table for each upstream, and a mark in it where the client has the feature. */
export function matrixPage(
  clients: readonly ClientUnderTest[],
  embeddingClients: readonly EmbeddingClientUnderTest[],
): string {
  const notes: string[] = [];
  const noteOf = (text: string) => {
    if (!notes.includes(text)) notes.push(text);
    return `${String(notes.indexOf(text) + 1)}`;
  };
  const markOf = (client: ClientUnderTest, upstream: UpstreamUnderTest, feature: FeatureName) => {
    const { name } = upstream;
    const protocols = protocolsFor(client, upstream);
    const reasons = protocols.flatMap(
      (protocol) => lackOf(client, { upstream: name, protocol }, feature)?.reason ?? [],
    );
    if (reasons[0] === undefined) return '✓';
    return `${reasons.length < protocols.length ? '◐' : '–'} <sup>${noteOf(reasons[0])}</sup>`;
  };
  const tableOf = (upstream: UpstreamUnderTest) =>
    table(
      ['Client', ...upstream.features.map((feature) => featureTitles[feature])],
      clients.map((client) => [
        nameOf(client),
        ...upstream.features.map((feature) => markOf(client, upstream, feature)),
      ]),
    );
  const tables = upstreams.map((upstream) => {
    const version =
      upstream.package === null
        ? ''
        : ` ${versionOf(upstream.package, upstream.needsPython ? 'Python' : 'Node.js')}`;
    return `## Over ${upstream.name}${version}\n\n${upstream.about}\n\n${tableOf(upstream)}`;
  });
  const embeddings = table(
    ['Client', 'Package', 'Version', ...Object.values(embeddingFeatureTitles)],
    embeddingClients.map((client) => {
      const mark = client.failsOver ? `◐ <sup>${noteOf(client.failsOver.reason)}</sup>` : '✓';
      return [...packageCellsOf(client), ...Object.values(embeddingFeatureTitles).map(() => mark)];
    }),
  );
  const versions = table(
    ['Client', 'Package', 'Version', 'Route'],
    clients.map((client) => [...packageCellsOf(client), `\`${client.route}\``]),
  );
  const parts = {
    tables: tables.join('\n\n'),
    embeddings,
    notes: notes.map((note, at) => `${String(at + 1)}. ${sentence(note)}`).join('\n'),
    versions,
  };
  return Object.entries(parts).reduce(
    (page, [name, text]) => withPart(page, name, text),
    readFileSync(matrixPageFile, 'utf8'),
  );
}

const packageCellsOf = (client: Pick<ClientUnderTest, 'name' | 'language' | 'package'>) => [
  nameOf(client),
  `\`${packageOf(client.package)}\``,
  versionOf(client.package, client.language),
];

/** A part of the page is written between two comments; the rest is written by hand. */
function withPart(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, rest = ''] = page.split(begin);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined) throw new Error(`The page has no part ${name}.`);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const nameOf = ({ name, language }: Pick<ClientUnderTest, 'name' | 'language'>) => `${name}, ${language}`;

/** Padded as Prettier does, so that the page is formatted. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
