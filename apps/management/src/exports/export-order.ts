import { type Caller } from '@svc/api';
import { kindRules, namedColumns } from '@svc/exports';
import { GatewayError } from '@svc/kernel';
import { type ExportOrder } from '@svc/exports/store';
import { type z } from 'zod';
import { auditFilters } from '../audit-log/audit-entry-schema';
import { requestFilters } from '../requests/request-schema';
import { transactionFilters } from '../wallet/wallet-schema';
import { deliveryFilters } from '../webhook-deliveries/webhook-delivery-schema';
import { type newExport } from './export-schema';

const DAY_MS = 86_400_000;

/**
 * The order of an export in a body.
 * @param callsKeptSince the month from which calls are still there; null where none was dropped.
 * @throws GatewayError `invalidRequest`, or `permissionDenied` where a project's key asks for what is not of its project.
 */
export function readOrder(
  { projectId }: Pick<Caller, 'projectId'>,
  body: z.output<typeof newExport>,
  nowMs: number,
  callsKeptSince: Date | null,
): ExportOrder {
  const { kind, format, compression, start = null, end = null, columns = [] } = body;
  const filter = Object.fromEntries(
    Object.entries(body.filter).flatMap(([name, values]) => (values === undefined ? [] : [[name, values]])),
  ) as ExportOrder['filter'];
  requireOwnProject(projectId, kind, filter);
  requireFilters(kind, filter);
  requireRange(kind, start, end, nowMs);
  if (kind === 'requests' && callsKeptSince !== null && start !== null && start < callsKeptSince) {
    refuse('start', `Calls from before ${callsKeptSince.toISOString()} are not kept any more.`);
  }
  const unknown = namedColumns(kind, columns).indexOf(undefined);
  if (unknown !== -1) refuse(`columns[${String(unknown)}]`, 'The rows of this kind have no such column.');
  return { kind, format, compression, start, end, filter, columns };
}

function requireOwnProject(
  own: string | null,
  kind: ExportOrder['kind'],
  { project_id: asked = own ?? [] }: ExportOrder['filter'],
): void {
  if (own === null) return;
  const others = (typeof asked === 'string' ? asked.split(',') : asked).filter((id) => id !== own);
  if (kindRules[kind].isOfProjects && others.length === 0) return;
  throw new GatewayError(
    'permissionDenied',
    'A project’s key exports the calls and the usage of its project.',
  );
}

/** The filters that take certain values only: those that the list of the same rows takes. */
const valuesOf: Readonly<Record<ExportOrder['kind'], Readonly<Record<string, z.ZodType>>>> = {
  requests: { status: requestFilters.status },
  usage: {},
  wallet_transactions: { kind: transactionFilters.kind },
  audit_log: { action: auditFilters.action },
  webhook_deliveries: { status: deliveryFilters.status },
};

function requireFilters(kind: ExportOrder['kind'], filter: ExportOrder['filter']): void {
  const known: readonly string[] = kindRules[kind].filters;
  for (const [name, given] of Object.entries(filter)) {
    if (!known.includes(name))
      refuse(`filter.${name}`, `Rows of this kind are filtered by ${known.join(', ')}.`);
    for (const value of typeof given === 'string' ? given.split(',') : given) {
      const [issue] = valuesOf[kind][name]?.safeParse(value).error?.issues ?? [];
      if (issue !== undefined) refuse(`filter.${name}`, `filter.${name}: ${issue.message}.`);
    }
  }
}

function requireRange(kind: ExportOrder['kind'], start: Date | null, end: Date | null, nowMs: number): void {
  const { needsRange, daysMax } = kindRules[kind];
  if (needsRange && start === null) refuse('start', 'Rows of this kind need a range.');
  if (needsRange && end === null) refuse('end', 'Rows of this kind need a range.');
  if (end !== null && end.getTime() > nowMs) refuse('end', '`end` must not be in the future.');
  if (start === null) return;
  const endMs = end?.getTime() ?? nowMs;
  if (start.getTime() >= endMs) refuse('start', '`start` must be earlier than `end`.');
  if (daysMax !== null && endMs - start.getTime() > daysMax * DAY_MS) {
    refuse('start', `A range is at most ${String(daysMax)} days long.`);
  }
}

function refuse(param: string, message: string): never {
  throw new GatewayError('invalidRequest', message, { param });
}
