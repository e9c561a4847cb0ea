// ESLint's rules for the console's browser code: accessible, inert towards data, exact with money.
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';

const WEB = 'apps/console/web';
const CODE = '*.{ts,tsx}';
const SPECS = `${WEB}/**/*.spec.{ts,tsx}`;
/** The only file that may read and write the browser's storage. */
const STORAGE = `${WEB}/browser/preferences.ts`;
/** Who sends calls: of the console, and of the operator's. */
const CALLERS = [`${WEB}/api/**`, `${WEB}/operator/api/**`];

const MONEY = 'Identifier[name=/(^n|_n|N)anos$/]';
const HTML = 'Data is shown as text nodes only.';
const AMOUNT = 'An amount is a bigint; a number would round it.';

const syntax = [
  {
    selector: ':matches(JSXAttribute, Property)[name.name="dangerouslySetInnerHTML"]',
    message: HTML,
  },
  { selector: 'Property[key.name="dangerouslySetInnerHTML"]', message: HTML },
  {
    selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|srcdoc|insertAdjacentHTML)$/]',
    message: HTML,
  },
  { selector: 'MemberExpression[object.name="document"][property.name=/^writeln?$/]', message: HTML },
  { selector: `CallExpression[callee.name=/^(Number|parseFloat|parseInt)$/] ${MONEY}`, message: AMOUNT },
  { selector: `UnaryExpression[operator="+"] > ${MONEY}`, message: AMOUNT },
  { selector: `UnaryExpression[operator="+"] > MemberExpression > ${MONEY}.property`, message: AMOUNT },
  { selector: `CallExpression > MemberExpression.callee[property.name="toFixed"] ${MONEY}`, message: AMOUNT },
];

const storage = ['localStorage', 'sessionStorage', 'indexedDB'].map((name) => ({
  name,
  message: `Only ${STORAGE} keeps anything in the browser.`,
}));
const calls = [{ name: 'fetch', message: 'Only api/ calls the service.' }];
const globalObjects = ['window', 'globalThis', 'self'];

/** A global is banned under its own name and as a property of the global object. */
const banned = (files, globals, ignores = []) => ({
  files,
  ignores: [SPECS, ...ignores],
  rules: {
    'no-restricted-globals': ['error', ...globals],
    'no-restricted-properties': [
      'error',
      ...globals.flatMap(({ name, message }) =>
        globalObjects.map((object) => ({ object, property: name, message })),
      ),
    ],
  },
});

const outside = {
  regex: '^(node:|@svc/(?!(alerts|kernel)$))',
  message: 'Browser code imports @svc/kernel and @svc/alerts alone, and nothing of Node.js.',
};
const parts = { regex: '^@base-ui/', message: 'Only ui/ imports Base UI.' };
const operator = {
  regex: '/operator/',
  message: 'The operator’s token is in an application of its own, of which the console has nothing.',
};
/** The folders of the browser code, from the lowest: each imports from those before it. Folders of one layer stand together. */
const LAYERS = [
  ['format'],
  ['browser'],
  ['session'],
  ['api'],
  ['ui'],
  ['charts'],
  ['frame'],
  ['calls', 'deliveries'],
  ['policies'],
  ['pages'],
  ['app'],
];
/** The same of the operator's application, which is above all but `pages` and `app` of the console. */
const OPERATOR_LAYERS = [['session'], ['api'], ['frame'], ['pages'], ['app']];
/**
 * Imports that a folder must not have, from so many folders below the one that has the layers. Types that are made of the OpenAPI
 * documents are of no layer.
 */
const above = (layers, folder, depth) => {
  const own = layers.findIndex((layer) => layer.includes(folder));
  const refused = layers
    .slice(own)
    .flat()
    .filter((name) => name !== folder);
  return {
    regex: `^${String.raw`\.\./`.repeat(depth)}(${refused.join('|')})/(?!generated/)`,
    message: `${folder}/ imports from the layers below it alone (web/README.md).`,
  };
};

/** From so many folders below `web/`. Only the operator's `app/` takes parts of the console's. */
const session = (depth, folder) => ({
  regex: `^${String.raw`\.\./`.repeat(depth)}(pages/|session/|app/${folder === 'app' ? '(router|pages)$' : ''}|api/(client|transport|use-[a-z-]+)$)`,
  message: 'The operator’s console knows no session, and nothing of an organization’s pages.',
});
const otherPage = (depth) => ({
  regex: `^${String.raw`\.\./`.repeat(depth)}(?!\\.\\.)[^/]+`,
  message: 'A page imports no other page.',
});
const imports = (files, ...patterns) => ({
  files: files.map((file) => `${WEB}/${file}`),
  ignores: [SPECS, `${WEB}/**/vite.config.ts`],
  rules: { 'no-restricted-imports': ['error', { patterns: [outside, ...patterns] }] },
});

const isParts = (folder) => (folder === 'ui' ? [] : [parts]);
/** The files so many folders below `web/`: a page, at the second, imports no other page. */
const layer = (folder, depth) =>
  imports(
    [`${folder}${'/*'.repeat(depth - 1)}/${CODE}`],
    ...isParts(folder),
    operator,
    ...(folder === 'app' ? [] : [above(LAYERS, folder, depth)]),
    ...(folder === 'pages' && depth > 1 ? [otherPage(depth - 1)] : []),
  );
const operatorLayer = (folder, depth) =>
  imports(
    [`operator/${folder}${'/*'.repeat(depth - 1)}/${CODE}`],
    parts,
    session(depth + 1, folder),
    ...(folder === 'app' ? [] : [above(OPERATOR_LAYERS, folder, depth)]),
    ...(folder === 'pages' && depth > 1 ? [otherPage(depth - 1)] : []),
  );

export const browserRules = [
  {
    files: [`${WEB}/**/${CODE}`],
    plugins: { 'react-hooks': reactHooks, 'jsx-a11y': jsxA11y },
    languageOptions: { parserOptions: { ecmaFeatures: { jsx: true }, emitDecoratorMetadata: false } },
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      ...jsxA11y.flatConfigs.strict.rules,
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-syntax': ['error', ...syntax],
    },
  },
  banned([`${WEB}/**/${CODE}`], [...storage, ...calls], [STORAGE, ...CALLERS]),
  banned(
    CALLERS.map((folder) => `${folder}/${CODE}`),
    storage,
  ),
  banned([STORAGE], calls),
  imports([`**/${CODE}`], parts, operator),
  ...LAYERS.flat().flatMap((folder) => [layer(folder, 1), layer(folder, 2), layer(folder, 3)]),
  ...OPERATOR_LAYERS.flat().flatMap((folder) => [operatorLayer(folder, 1), operatorLayer(folder, 2)]),
  { files: [`${WEB}/**/vite.config.ts`], rules: { 'no-restricted-exports': 'off' } },
];
