import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../harness/app-process';

/** A route as docs/interface.md writes it. */
export interface PromisedRoute {
  /** null where only the path is promised. */
  readonly method: string | null;
  /** Names of ids are theirs: `{}`. */
  readonly path: string;
  /** Where the text leaves the beginning out (`.../{endpoint_id}/test`). */
  readonly isSuffix: boolean;
}

const SPAN = /`(?:(GET|POST|PUT|PATCH|DELETE) )?(?:\{base_url\})?((?:\.\.\.)?\/[^\s`]+)`/g;
const SERVED = /^(\/api\/v1\/|\/v1\/|\/auth\/|\.\.\.)/;

/** Every route that docs/interface.md names, in its tables and between them. */
export function promisedRoutes(): PromisedRoute[] {
  const text = readFileSync(join(workspaceRoot, 'docs', 'interface.md'), 'utf8');
  const routes = [...text.matchAll(SPAN)].map(([, method, path = '']) => ({
    method: method ?? null,
    path: anonymous(path.replace(/^\.\.\./, '')),
    isSuffix: path.startsWith('...'),
    written: path,
  }));
  return routes.filter(({ written }) => SERVED.test(written)).map(({ written: _, ...route }) => route);
}

export const anonymous = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
