import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser } from 'playwright-core';
import { readBuiltFiles, type BuiltFile } from '../src/files/built-files';
import { fileAt } from '../src/files/file-at';
import { securityHeaders } from '../src/security-headers';

const BUILT = join(__dirname, '../../../dist/apps/console');
const applications = { console: 'web', operator: 'operator' } as const;
export type Application = keyof typeof applications;
const OF_APPLICATION = /^\/(console|operator)(?:\/(.*))?$/;
/** What a browser asks for by itself, on a page that is not an application's. */
const UNASKED = '/favicon.ico';
/** An empty page of the same site: `about:blank` would end the page's process, with the code that it has compiled. */
export const NOWHERE = '/nowhere';

export interface StubbedAnswer {
  readonly status?: number;
  /** Sent as JSON; a text is sent as it is, for numbers that a `number` would round. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
/** One answer, or one for each call. A promise that does not resolve leaves the page waiting. */
export type Stub = StubbedAnswer | ((call: StubbedCall) => StubbedAnswer | Promise<StubbedAnswer>);

export interface StubbedCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it was sent: its digits can be checked. */
  readonly body: string | null;
}

type Answer = (call: StubbedCall) => Promise<StubbedAnswer>;

interface Stubs {
  readonly server: Server;
  /** Of the console that was opened last: those before it are closed. */
  answer: Answer;
}

const known = new WeakMap<Browser, Stubs>();

/**
 * Answers the calls of a browser's application from now on, and serves the files of both. A real server, because a browser whose calls
 * are intercepted keeps no file. @returns its origin.
 */
export async function serveStubs(browser: Browser, answer: Answer): Promise<string> {
  const stubs = known.get(browser) ?? (await startServer(browser, answer));
  stubs.answer = answer;
  return `http://localhost:${String((stubs.server.address() as AddressInfo).port)}`;
}

async function startServer(browser: Browser, answer: Answer): Promise<Stubs> {
  const files = { console: filesOf('console'), operator: filesOf('operator') };
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost');
    const [, application, path = ''] = OF_APPLICATION.exec(pathname) ?? [];
    if (application !== undefined) sendFile(fileAt(path, files[application as Application]), outgoing);
    else if (pathname === UNASKED || !isOfBrowser(incoming)) sendFile(null, outgoing);
    else if (pathname === NOWHERE) outgoing.writeHead(200, { 'content-type': 'text/html' }).end();
    else void reply(stubs.answer, incoming, outgoing);
  });
  const stubs: Stubs = { server, answer };
  known.set(browser, stubs);
  browser.on('disconnected', () => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return stubs;
}

/** A service of another spec may still send to a receiver that had this port before. */
const isOfBrowser = ({ headers }: IncomingMessage) => headers['sec-fetch-site'] !== undefined;

const filesOf = (application: Application) => readBuiltFiles(join(BUILT, applications[application]));

function sendFile(file: BuiltFile | null, outgoing: ServerResponse): void {
  if (file === null) outgoing.writeHead(404).end();
  else
    outgoing
      .writeHead(200, { ...securityHeaders, 'content-type': file.type, 'cache-control': file.cacheControl })
      .end(file.identity);
}

async function reply(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { status = 200, body, headers = {} } = await answer(await callOf(incoming));
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

async function callOf(incoming: IncomingMessage): Promise<StubbedCall> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://localhost');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? '',
    path: pathname,
    query: searchParams,
    headers: incoming.headers as Readonly<Record<string, string>>,
    body: chunks.length === 0 ? null : Buffer.concat(chunks).toString(),
  };
}
