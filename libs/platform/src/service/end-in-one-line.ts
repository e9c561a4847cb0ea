/**
 * Ends a program that failed: exit code 1 and one line that says why, where a stack trace would hide it.
 * @param program is said before it, where several write to the same place.
 */
export const endInOneLine =
  (program?: string) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${program === undefined ? '' : `${program}: `}${reason}\n`);
    process.exit(1);
  };
