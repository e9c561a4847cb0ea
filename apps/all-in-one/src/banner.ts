/** What a start has to tell, to people and, in the SVC_READY line, to scripts (contract.md section 1). */
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

const AS_PRINTED = '(as printed by the first start)';

/** The banner: where it listens, how to log in, and three calls that work as printed. */
export function banner(report: ReadyReport, simulatorUrl: string): string {
  const key = report.api_key ?? '$SVC_API_KEY';
  const curl = (path: string, body?: object) =>
    `curl -s ${report.base_url}${path} -H "Authorization: Bearer ${key}"` +
    (body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`);
  const messages = [{ role: 'user', content: 'Hello' }];
  return [
    '',
    '  Svc is ready.',
    '',
    `  Base URL        ${report.base_url}`,
    `  Console login   ${report.owner_email}  ${report.owner_password ?? AS_PRINTED}`,
    `  API key         ${report.api_key ?? AS_PRINTED}`,
    `  Platform token  ${report.platform_token ?? AS_PRINTED}`,
    `  API reference   ${report.base_url}/api/v1/docs`,
    `  Simulator       ${simulatorUrl} (an upstream to try things on; no language model)`,
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
