import { type FastifyInstance } from 'fastify';

interface KnownPath {
  readonly matches: RegExp;
  readonly parameterCount: number;
  readonly methods: Set<string>;
}

/** A hint for the 404 of a path. Null for none. */
type PathHint = (path: string) => string | null;

const KNOWN_PATHS = 'svcKnownPaths';

/** The paths of a server, for the answers to requests without a matching route. */
export class KnownPaths {
  private readonly paths = new Map<string, KnownPath>();
  private readonly hints: PathHint[] = [];

  /** @param pattern in the router's form: `:name` is one segment, `*` is any rest. */
  add(pattern: string, methods: readonly string[]): void {
    const known = this.paths.get(pattern) ?? {
      matches: matcherOf(pattern),
      parameterCount: pattern.match(/[:*]/g)?.length ?? 0,
      methods: new Set(),
    };
    this.paths.set(pattern, known);
    for (const method of methods) known.methods.add(method);
  }

  /** The methods of a path. Empty for an unknown path. A word in a path is no id, though a parameter would match it. */
  methodsAt(path: string): readonly string[] {
    const matching = [...this.paths.values()].filter(({ matches }) => matches.test(path));
    const least = Math.min(...matching.map(({ parameterCount }) => parameterCount));
    const methods = matching.flatMap(({ parameterCount, methods: taken }) =>
      parameterCount === least ? [...taken] : [],
    );
    return [...new Set(methods)].sort();
  }

  addHint(hint: PathHint): void {
    this.hints.push(hint);
  }

  hintAt(path: string): string | null {
    for (const hint of this.hints) {
      const text = hint(path);
      if (text !== null) return text;
    }
    return null;
  }
}

/** Collects every route declared from now on. */
export function mountKnownPaths(server: FastifyInstance): KnownPaths {
  const known = new KnownPaths();
  server.decorate(KNOWN_PATHS, known);
  server.addHook('onRoute', ({ url, method }) => {
    known.add(url, [method].flat());
  });
  return known;
}

/** The paths of a server of `createHttpServer`. Handlers that run before the framework must add theirs. */
export const knownPathsOf = (server: FastifyInstance): KnownPaths =>
  server.getDecorator<KnownPaths>(KNOWN_PATHS);

function matcherOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z0-9_]+/g, '[^/]+')
    .replaceAll('*', '.*');
  return new RegExp(`^${source}$`);
}
