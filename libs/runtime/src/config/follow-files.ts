import { type Logger } from '../observability';
import { FollowedEnvironment } from './followed-environment';
import { type FileText, ReloadedFiles } from './reloaded-files';

interface FollowOptions<T> {
  readonly files: readonly string[];
  /** Where the variables are that the files name: by default those of the process. */
  readonly environment?: FollowedEnvironment;
  /** Throws for invalid texts. */
  readonly parse: (texts: readonly FileText[], variables: FollowedEnvironment['variables']) => T;
  readonly logger: Logger;
}

/**
 * Files that are read again on SIGHUP, and parsed again when a variable that they name has changed.
 * @throws the errors of reading or parsing.
 */
export function followFiles<T>({
  files,
  environment = new FollowedEnvironment(),
  parse,
  logger,
}: FollowOptions<T>): ReloadedFiles<T> {
  const followed = new ReloadedFiles({
    files,
    logger,
    parse: (texts) => parse(texts, environment.variables),
  });
  process.on('SIGHUP', () => {
    followed.reload();
  });
  environment.follow(followed, { logger });
  return followed;
}
