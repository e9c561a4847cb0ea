import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const workspaceRoot = fileURLToPath(new URL('../../../', import.meta.url));
const kernel = `${workspaceRoot}libs/kernel/src/`;

/**
 * The policy of the console's answers allows files of this origin only, so nothing is written into the page itself: no
 * inline script or style, no `data:` address.
 */
const config = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
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
      // What the first page needs is one file, though what is loaded later shares parts of it.
      output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } },
    },
  },
});

export { config as default };
