import { type Plugin, type Rolldown } from 'vite';

const START = 'index.html';
const OVERVIEW = 'overview.html';
const MODULE = '/pages/overview/overview-page.tsx';
const END_OF_HEAD = '  </head>';

/**
 * Writes `overview.html`, the start page of the address that most people open. It is `index.html` with links that load the
 * code of the overview beside the script which will ask for it.
 */
export const overviewPage = (): Plugin => ({
  name: 'overview-page',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const start = bundle[START];
      const first = chunks.find(({ isEntry }) => isEntry);
      const page = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(MODULE)));
      if (start?.type !== 'asset' || first === undefined || page === undefined) {
        throw new Error('The build has no overview.');
      }
      const loadedAnyhow = namesWithImports(first, bundle);
      const links = [...namesWithImports(page, bundle)]
        .filter((name) => !loadedAnyhow.has(name))
        .map((name) => `    <link rel="modulepreload" crossorigin href="/console/${name}" />\n`);
      const source = String(start.source).replace(END_OF_HEAD, links.join('') + END_OF_HEAD);
      this.emitFile({ type: 'asset', fileName: OVERVIEW, source });
    },
  },
});

/** The file of a chunk, and those that it imports. */
function namesWithImports(
  { fileName, imports }: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  names = new Set<string>(),
): Set<string> {
  names.add(fileName);
  for (const name of imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk' && !names.has(name)) namesWithImports(imported, bundle, names);
  }
  return names;
}
