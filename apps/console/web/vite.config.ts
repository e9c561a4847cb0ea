import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minify } from '@swc/core';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { overviewPage } from './overview-html';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${workspaceRoot}package.json`, 'utf8')) as { version: string };
/** The libs whose code browsers run too. */
const libs = ['kernel', 'alerts'].map((name) => ({ name, folder: `${workspaceRoot}libs/${name}/src/` }));

/** The names of each style sheet, in its own order. */
const namesOf = new Map<string, string[]>();

/** A short name of a class, which no build changes without need: those of a sheet begin with what only its path has. */
function shortName(name: string, sheet: string): string {
  const names = namesOf.get(sheet) ?? [];
  namesOf.set(sheet, names);
  if (!names.includes(name)) names.push(name);
  const path = relative(workspaceRoot, sheet);
  const start = createHash('sha256').update(path).digest('base64url').slice(0, 5);
  return `_${start}${String(names.indexOf(name))}`;
}

/** Without what it imports, which has a file of its own. */
const apart = { includeDependenciesRecursively: false };
/** Words of changes are a page's too: of those that show changes. */
const ofPage = /\/console\/web\/(?:pages\/(overview\/parts|[^/]+)|(changes))\/|\/app\/page-files\/([\w-]+)/;
/** Small pages, each with the page whose file it is in: one that is used with it. Alone, they compress badly. */
const smallPages: Readonly<Record<string, string>> = {
  projects: 'keys',
  'provider-credentials': 'keys',
  playground: 'models',
  start: 'models',
  budgets: 'wallet',
  exports: 'wallet',
  incidents: 'alerts',
  integrations: 'webhooks',
  'oauth-apps': 'webhooks',
  approvals: 'members',
  audit: 'members',
  changes: 'members',
  settings: 'members',
  refusals: 'requests',
};
const pageFile = (id: string): string | null => {
  const [, page, changes, file] = ofPage.exec(id) ?? [];
  const name = page ?? changes ?? file;
  return name === undefined ? null : (smallPages[name] ?? name.replace('/', '-'));
};

/**
 * Which code shares a file. A few larger files compress far better than many small ones. What imports Base UI for one
 * kind of control stays apart: a page loads the controls that it has.
 */
const files = [
  // The parts that the first page needs are one file, though later files share parts of it.
  { name: 'index', tags: ['$initial'], priority: 3 },
  { name: pageFile, debugName: 'pages', priority: 2, ...apart },
  {
    name: 'forms',
    test: /\/console\/web\/(ui\/(dialog|filters|fields\/(?!combobox|select|loaded-select|fields))|frame\/(confirm-|form-|leave-|instant-|list-filters|people-fields|read-page|searched-to|use-list|write-form)|calls\/(model-usage|status-badge|use-request\.)|session\/permission-words|browser\/use-rested)|\/react-router\/.*\/useBlocker/,
    priority: 1,
    ...apart,
  },
  {
    name: 'policies',
    test: /\/console\/web\/(policies|calls\/(simulation|operations))|\/(useQueries|queriesObserver)\.js/,
    priority: 1,
    ...apart,
  },
  // The modules that all kinds of popups are made of. Each of these takes what it imports with it or from those before it: two files
  // that import each other would run before they are whole.
  { name: 'positions', test: /node_modules\/@floating-ui\//, priority: 1.2 },
  {
    name: 'floating',
    test: /node_modules\/@base-ui\/(utils|react\/floating-ui-react)\//,
    priority: 1.1,
  },
  {
    name: 'popups',
    test: /node_modules\/@base-ui\/react\/(?!combobox|select|menu|tooltip|popover|autocomplete|floating-ui-react)/,
    priority: 1,
    ...apart,
  },
  {
    name: 'pickers',
    test: /node_modules\/@base-ui\/react\/(combobox|autocomplete)\/|\/console\/web\/(ui\/fields\/combobox|frame\/(pick-|choices))/,
    priority: 1,
    ...apart,
  },
  {
    name: 'menus',
    test: /\/console\/web\/app\/shell\/(account|organization|theme)-menu/,
    priority: 1,
    ...apart,
  },
  { name: 'deliveries', test: /\/console\/web\/deliveries\//, priority: 1, ...apart },
  { name: 'charts', test: /\/console\/web\/charts\/(?!on-demand)|\/d3-/, priority: 1, ...apart },
  {
    name: 'lists',
    test: /\/console\/web\/(api|calls\/(text|credit-|last-days|days-left|named|use-key-spend|(use-)?budget-)|charts\/on-demand|format|ui\/(badge|download|fields\/(fields|select\.|select-value)|form-frame|icons\/later|meter|states\/(?!no-permission)|table|tabs|text)|browser\/pages-of-list)|\/(useMutation|mutationObserver)\.js/,
    priority: 1,
    ...apart,
  },
];

/** Minified once more: SWC finds what the bundler's own minifier leaves, about a fiftieth. */
const minifiedAgain: Plugin = {
  name: 'minified-again',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const { code } = await minify(file.code, {
          module: true,
          compress: { passes: 2 },
          mangle: true,
          format: { comments: false },
        });
        file.code = code;
      }
    },
  },
};

/**
 * Has the first file compiled while it arrives, beside the main thread. Otherwise most of its functions are compiled when they
 * are called first, which blocks the page. (https://v8.dev/blog/explicit-compile-hints; other browsers read a comment.)
 */
const compiledEarly: Plugin = {
  name: 'compiled-early',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && file.isEntry) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
};

const JSX = 'react/jsx-runtime';
const PLAIN_JSX = '\0plain-jsx';

/** Has each element made by a function, `jsx(`: a method of React's object, `(0,react.jsx)(`, is a hundredth of all code. */
const plainJsx: Plugin = {
  name: 'plain-jsx',
  enforce: 'pre',
  resolveId: (source, importer) => (source === JSX && importer !== PLAIN_JSX ? PLAIN_JSX : null),
  load: (id) =>
    id === PLAIN_JSX
      ? `import react from '${JSX}'; export const jsx = react.jsx, jsxs = react.jsxs, Fragment = react.Fragment;`
      : null,
};

export interface Application {
  readonly root: string;
  /** Where it is served. */
  readonly base: string;
  readonly publicDir?: string;
  /** Below the workspace. */
  readonly outDir: string;
  readonly files: readonly object[];
  readonly plugins?: readonly Plugin[];
  /** Modules that others stand in for. */
  readonly alias?: readonly { readonly find: RegExp; readonly replacement: string }[];
}

/**
 * How an application is built. The policy of its answers allows files of this origin only, so nothing is written into the
 * page itself: no inline script or style, no `data:` address.
 */
export const configOf = ({
  root,
  base,
  publicDir,
  outDir,
  files: groups,
  plugins = [],
  alias = [],
}: Application): UserConfig =>
  defineConfig({
    root,
    base,
    ...(publicDir !== undefined && { publicDir }),
    plugins: [plainJsx, react(), minifiedAgain, compiledEarly, ...plugins],
    define: { 'import.meta.env.SVC_VERSION': JSON.stringify(version) },
    resolve: {
      alias: [
        ...libs.map(({ name, folder }) => ({ find: `@svc/${name}`, replacement: `${folder}index.ts` })),
        ...alias,
      ],
    },
    css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: shortName } },
    build: {
      outDir: workspaceRoot + outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // All of it is small, and a file for each page would be asked for beside its script.
      cssCodeSplit: false,
      sourcemap: false,
      // The first that keep the source text of JSON numbers, which amounts of money are read from.
      target: ['chrome123', 'edge123', 'firefox135', 'safari18.4'],
      reportCompressedSize: false,
      rolldownOptions: {
        // Their tables are built by calls, which would otherwise be kept though nothing uses them.
        treeshake: { moduleSideEffects: (id) => !libs.some(({ folder }) => id.startsWith(folder)) },
        output: { codeSplitting: { groups: [...groups] as never } },
      },
    },
  });

const config = configOf({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  outDir: 'dist/apps/console/web',
  files,
  plugins: [overviewPage()],
});

export { config as default };
