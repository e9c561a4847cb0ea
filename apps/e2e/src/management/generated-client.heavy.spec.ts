import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { workspaceRoot } from '../harness/app-process';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { removeFolder, temporaryFolder } from '../harness/temporary-folder';

/** A program by somebody who knows only the types. Each mistake is marked; a marked line that compiles is an error. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.cjs';

const { SVC_BASE_URL = '', SVC_API_KEY = '' } = process.env;
const client = createClient<paths>({ baseUrl: SVC_BASE_URL, headers: { Authorization: \`Bearer \${SVC_API_KEY}\` } });

function present<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(\`\${answer.response.status} \${JSON.stringify(answer.error)}\`);
  return answer.data;
}

async function run(): Promise<object> {
  const { key, api_key: minted } = present(
    await client.POST('/api/v1/keys', { body: { name: 'Generated', scopes: ['inference:invoke'] } }),
  );
  const path = { key_id: minted.id };
  const changed: components['schemas']['ApiKey'] = present(
    await client.PATCH('/api/v1/keys/{key_id}', { params: { path }, body: { rate_limit_rpm: 7 } }),
  );
  const page = present(await client.GET('/api/v1/keys', { params: { query: { limit: 1 } } }));
  const limits: (number | null)[] = page.data.map((one) => one.rate_limit_rpm);
  const hello = { model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] };
  const asGenerated = { Authorization: \`Bearer \${key}\` };
  const completion = present(await client.POST('/v1/chat/completions', { body: hello, headers: asGenerated }));
  if (typeof completion === 'string') throw new Error('a stream that nobody asked for');
  const cost: number = completion.svc.cost.customer_nanos;
  const revoked = await client.DELETE('/api/v1/keys/{key_id}', { params: { path } });
  const { data: after } = await client.GET('/api/v1/keys/{key_id}', { params: { path } });
  const refused = await client.POST('/v1/chat/completions', { body: hello, headers: { Authorization: 'Bearer svc_sk_made-up' } });
  const code: string | undefined = refused.error?.error.code;
  return { rpm: changed.rate_limit_rpm, limits, hasMore: page.has_more, cost, revoked: revoked.response.status, state: after?.state, code };
}

async function mistakes(): Promise<void> {
  // @ts-expect-error no such path
  await client.GET('/api/v1/kees');
  // @ts-expect-error no such scope
  await client.POST('/api/v1/keys', { body: { name: 'Generated', scopes: ['everything'] } });
  // @ts-expect-error a key must have a name
  await client.POST('/api/v1/keys', { body: { scopes: ['inference:invoke'] } });
  // @ts-expect-error a path must have its ids
  await client.GET('/api/v1/keys/{key_id}');
  const { data } = await client.GET('/api/v1/wallet');
  // @ts-expect-error no such field
  data?.balance_dollars;
}

void run().then((answer) => console.log(JSON.stringify(answer)));
void mistakes;
`;

/** The compiler sees the files beside this spec, so that it finds the packages; they are never written to disk. */
const folder = join(workspaceRoot, 'apps/e2e/src/management');

const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: ['node'],
  skipLibCheck: true,
};

/** @returns the program in JavaScript, and the compiler's errors in it or in the types. */
function compile(files: Readonly<Record<string, string>>): { script: string; problems: string[] } {
  const host = ts.createCompilerHost(options);
  const onDisk = { read: host.readFile, exists: host.fileExists };
  const virtual = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  host.readFile = (file) => virtual.get(file) ?? onDisk.read(file);
  host.fileExists = (file) => virtual.has(file) || onDisk.exists(file);
  host.getSourceFile = (file, language) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, language);
  };
  let script = '';
  host.writeFile = (file, text) => {
    if (file.endsWith('program.cjs')) script = text;
  };
  const program = ts.createProgram([join(folder, 'program.cts')], options, host);
  const diagnostics = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  return {
    script,
    problems: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  };
}

describe('a client that is generated from the document', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });

  it('compiles under strict settings, and calls the service', async () => {
    const document = (await (await fetch(`${svc.baseUrl}/api/v1/openapi.json`)).json()) as OpenAPI3;
    // A field with a default need not be sent.
    const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
    const { script, problems } = compile({ 'schema.cts': types, 'program.cts': PROGRAM });
    expect(problems).toEqual([]);
    expect(await runProgram(script)).toEqual({
      rpm: 7,
      limits: [7],
      hasMore: true,
      cost: expect.any(Number) as number,
      revoked: 204,
      state: 'revoked',
      code: 'invalid_api_key',
    });
  });

  async function runProgram(script: string): Promise<unknown> {
    const home = await temporaryFolder();
    try {
      const file = join(home, 'program.cjs');
      await writeFile(file, script);
      const env = {
        SVC_BASE_URL: svc.baseUrl,
        SVC_API_KEY: svc.apiKey,
        NODE_PATH: join(workspaceRoot, 'node_modules'),
      };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
      return JSON.parse(stdout);
    } finally {
      await removeFolder(home);
    }
  }
});
