import { type Logger } from '../observability';
import { givenValue, type Environment } from './given-value';

/** Within the 30 s that are promised (docs/configuration.md#secrets-in-files). */
export const FILES_READ_EVERY_MS = 10_000;

interface FollowOptions {
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly readEveryMs?: number;
}

/**
 * The variables that catalog entries refer to: by `credential_env`, and in `${…}`. Each is read when it is first asked
 * for, and one in a file from then on again every 10 s.
 */
export class FollowedEnvironment {
  /** Has any name. @throws Error by a variable whose file cannot be read when it is first asked for. */
  readonly variables: Environment;
  private readonly values = new Map<string, string | undefined>();
  private readonly problems = new Map<string, string>();

  /** @param own takes the place of what the environment says. */
  constructor(
    private readonly own: Readonly<Record<string, string>> = {},
    private readonly env: Environment = { ...process.env },
  ) {
    // Which variables there are only the catalog says, and its next reading may name others.
    this.variables = new Proxy<Environment>(Object.create(null) as Environment, {
      get: (_, name) => (typeof name === 'string' ? this.valueOf(name) : undefined),
    });
  }

  /**
   * Begins to read files again. A file that became unreadable leaves the last content in effect.
   * @param catalog is told of each change, as its texts may have what is in the files.
   */
  follow(
    catalog: { readonly parseAgain: () => void },
    { logger, readEveryMs = FILES_READ_EVERY_MS }: FollowOptions,
  ): void {
    setInterval(() => {
      const names = [...this.values.keys()].filter((name) => this.hasChanged(name, logger));
      if (names.length === 0) return;
      logger.info({ variables: names }, 'variables read again');
      catalog.parseAgain();
    }, readEveryMs).unref();
  }

  private valueOf(name: string): string | undefined {
    if (this.values.has(name)) return this.values.get(name);
    if (Object.hasOwn(this.own, name)) return this.own[name];
    const found = givenValue(this.env, name);
    if ('problem' in found) throw new Error(found.problem);
    this.values.set(name, found.value);
    return found.value;
  }

  private hasChanged(name: string, logger: FollowOptions['logger']): boolean {
    const found = givenValue(this.env, name);
    if ('problem' in found) {
      if (found.problem !== this.problems.get(name))
        logger.error({ reason: found.problem }, 'variable not read again; the last one stays in effect');
      this.problems.set(name, found.problem);
      return false;
    }
    this.problems.delete(name);
    if (found.value === this.values.get(name)) return false;
    this.values.set(name, found.value);
    return true;
  }
}
