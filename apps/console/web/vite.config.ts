import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));
const { version } = JSON.parse(readFileSync(`${workspaceRoot}package.json`, 'utf8')) as { version: string };
const kernel = `${workspaceRoot}libs/kernel/src/`;

/** Without what it imports, which has a file of its own. */
const apart = { includeDependenciesRecursively: false };
const ofPage = /\/console\/web\/pages\/([^/]+)\//;

/**
 * Which code shares a file. A few larger files compress far better than many small ones. What imports Base UI for one
 * kind of control stays apart: a page loads the controls that it has.
 */
const files = [
  // What the first page needs is one file, though what is loaded later shares parts of it.
  { name: 'index', tags: ['$initial'], priority: 3 },
  { name: (id: string) => ofPage.exec(id)?.[1] ?? null, debugName: 'pages', priority: 2, ...apart },
  {
    name: 'forms',
    test: /\/console\/web\/(ui\/(dialog|fields\/(?!combobox|select))|app\/(approval-|form-|leave-|instant-))/,
    priority: 1,
    ...apart,
  },
  { name: 'deliveries', test: /\/console\/web\/deliveries\//, priority: 1, ...apart },
  {
    name: 'lists',
    test: /\/console\/web\/(api|format|ui\/(badge|states|table|tabs|text)|app\/pages-of-list)/,
    priority: 1,
    ...apart,
  },
];

/**
 * The policy of the console's answers allows files of this origin only, so nothing is written into the page itself: no
 * inline script or style, no `data:` address.
 */
const config = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  define: { 'import.meta.env.SVC_VERSION': JSON.stringify(version) },
  resolve: { alias: { '@svc/kernel': `${kernel}index.ts` } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: `${workspaceRoot}dist/apps/console/web`,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // The first that keep the source text of JSON numbers, which amounts of money are read from.
    target: ['chrome123', 'edge123', 'firefox135', 'safari18.4'],
    reportCompressedSize: false,
    rolldownOptions: {
      // The kernel's tables are built by calls, which would otherwise be kept though nothing uses them.
      treeshake: { moduleSideEffects: (id) => !id.startsWith(kernel) },
      output: { codeSplitting: { groups: files } },
    },
  },
});

export { config as default };
