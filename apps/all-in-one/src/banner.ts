/** The report of a start, to people and, in the SVC_READY line, to scripts (docs/configuration.md#the-first-start). */
export interface ReadyReport {
  readonly base_url: string;
  /** Secrets are known on the first start only; later they are null. */
  readonly api_key: string | null;
  readonly organization_id: string;
  readonly project_id: string;
  readonly owner_email: string;
  readonly owner_password: string | null;
  readonly platform_token: string | null;
}

export const readyLine = (report: ReadyReport): string => `SVC_READY ${JSON.stringify(report)}`;

interface Surroundings {
  readonly simulatorUrl: string;
  /** True where payments are simulated. */
  readonly isTestMode: boolean;
  /** The file with the secrets of the first start; null when it was deleted. */
  readonly secretsFile: string | null;
  /** null: the log is on stdout. */
  readonly logFile: string | null;
}

/** The banner: the addresses, how to log in, and three calls that work as printed. */
export function banner(
  report: ReadyReport,
  { simulatorUrl, isTestMode, secretsFile, logFile }: Surroundings,
): string {
  const unknown = secretsFile === null ? '(as printed by the first start)' : '(see Secrets)';
  const key = report.api_key ?? '$SVC_API_KEY';
  const curl = (path: string, body?: object) =>
    `curl -s ${report.base_url}${path} -H "Authorization: Bearer ${key}"` +
    (body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`);
  const messages = [{ role: 'user', content: 'Hello' }];
  return [
    '',
    '  Svc is ready.',
    '',
    `  Console         ${report.base_url}/console/`,
    `  Base URL        ${report.base_url}`,
    `  Console login   ${report.owner_email}  ${report.owner_password ?? unknown}`,
    `  API key         ${report.api_key ?? unknown}`,
    `  Platform token  ${report.platform_token ?? unknown}`,
    `  Operator        ${report.base_url}/operator/ (sign in with the platform token)`,
    ...(secretsFile === null
      ? []
      : [`  Secrets         ${secretsFile} (for your shell's \`.\`; only you can read it)`]),
    `  API reference   ${report.base_url}/api/v1/docs`,
    `  Simulator       ${simulatorUrl} (an upstream to try things on; no language model)`,
    ...(isTestMode ? ['  Payments        test mode: no money moves'] : []),
    ...(logFile === null ? [] : [`  Log             ${logFile} (JSON; here it is one short line a request)`]),
    '',
    '  Try it:',
    '',
    `  ${curl('/v1/models')}`,
    '',
    `  ${curl('/v1/chat/completions', { model: 'simulator/echo', messages })}`,
    '',
    `  ${curl('/v1/messages', { model: 'simulator/echo', max_tokens: 256, stream: true, messages })}`,
    '',
    '  Stop with Ctrl-C: running streams finish first.',
    '',
  ].join('\n');
}
