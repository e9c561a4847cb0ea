import { type IncomingHttpHeaders } from 'node:http';
import { type BodyFields } from '../body/body-fields';
import { Refusal } from '../refusal';

/** Fields that Anthropic takes only with a beta, and how the name of that beta begins. */
const BETAS_OF_FIELDS: Readonly<Record<string, readonly string[]>> = {
  compaction: ['compact-'],
  context_management: ['context-management-', 'compact-'],
  mcp_servers: ['mcp-client-'],
  output_format: ['structured-outputs-'],
};

/** @throws Refusal 400 for a field whose beta the header does not name. */
export function requireBetas(body: BodyFields, { 'anthropic-beta': header = '' }: IncomingHttpHeaders): void {
  const given = String(header)
    .split(',')
    .map((name) => name.trim());
  for (const [field, prefixes] of Object.entries(BETAS_OF_FIELDS)) {
    if ((body[field] ?? null) === null) continue;
    if (given.some((name) => prefixes.some((prefix) => name.startsWith(prefix)))) continue;
    throw new Refusal(400, `${field}: Extra inputs are not permitted`, { param: field });
  }
}
