// ESLint's rules for the console's browser code: accessible, inert towards data, exact with money.
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';

const WEB = 'apps/console/web';
const CODE = '*.{ts,tsx}';
const SPECS = `${WEB}/**/*.spec.{ts,tsx}`;
/** The only file that may read and write the browser's storage. */
const STORAGE = `${WEB}/app/preferences.ts`;
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
  regex: '^(node:|@svc/(?!kernel$))',
  message: 'Browser code imports @svc/kernel alone, and nothing of Node.js.',
};
const parts = { regex: '^@base-ui/', message: 'Only ui/ imports Base UI.' };
const operator = {
  regex: '/operator/',
  message: 'The operator’s token is in an application of its own, of which the console has nothing.',
};
/** From so many folders below `web/`. */
const session = (depth) => ({
  regex: `^${String.raw`\.\./`.repeat(depth)}(pages/|session/|app/(router|pages)$|api/(client|transport|use-api)$)`,
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
  imports([`ui/**/${CODE}`], operator),
  imports([`pages/*/${CODE}`], parts, operator, otherPage(1)),
  imports([`pages/*/*/${CODE}`], parts, operator, otherPage(2)),
  imports([`operator/*/${CODE}`], parts, session(2)),
  imports([`operator/pages/*/${CODE}`], parts, session(3), otherPage(1)),
  { files: [`${WEB}/**/vite.config.ts`], rules: { 'no-restricted-exports': 'off' } },
];
