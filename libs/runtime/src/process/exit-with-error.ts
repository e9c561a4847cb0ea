/**
 * Ends a failed program with exit code 1 and one line with the reason instead of a stack trace.
 * @param program prefix of the line, where several programs share the output.
 */
export const exitWithError =
  (program?: string) =>
  (error: unknown): never => {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${program === undefined ? '' : `${program}: `}${reason}\n`);
    process.exit(1);
  };
