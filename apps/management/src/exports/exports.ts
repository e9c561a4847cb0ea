import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { kindRules, LINK_LIVES_MS, linkSignature, QUEUED_MAX, type ExportKind } from '@svc/exports';
import { canonicalJson, GatewayError, type Clock, type JsonValue, type Page, type Slice } from '@svc/kernel';
import { initialFields } from '@svc/database';
import { auditedExport, type ExportRecord, ExportStore } from '@svc/exports/store';
import { BASE_URL, CLOCK, LINK_KEYS } from '../runtime';
import { readOrder } from './export-order';
import { type exportListFilters, type newExport } from './export-schema';

interface DownloadUrl {
  readonly url: string;
  readonly expiresAt: Date;
}

/** An organization's exports. Workers write their files (docs/reference/exports.md). */
@Injectable()
export class Exports {
  constructor(
    private readonly store: ExportStore,
    private readonly mutations: Mutations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(BASE_URL) private readonly baseUrl: string,
    @Inject(LINK_KEYS) private readonly linkKeys: readonly [Buffer, ...Buffer[]],
  ) {}

  list(
    { organizationId, projectId }: Caller,
    page: Page,
    filter: z.output<z.ZodObject<typeof exportListFilters>>,
  ): Promise<Slice<ExportRecord>> {
    return this.store.listExports(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<ExportRecord> {
    return known(await this.store.findExport(organizationId, id, projectId));
  }

  /**
   * A retry with the same key and body within 24 hours answers with the export as it is by then.
   * @throws GatewayError `invalidRequest`, `permissionDenied`; `conflict` where too many wait; `idempotencyKeyReused` where the key was used
   * for another export.
   */
  async create(
    caller: Caller,
    body: z.output<typeof newExport>,
    idempotencyKey: string | null,
  ): Promise<ExportRecord> {
    requireKind(caller, body.kind);
    const order = readOrder(caller, body, this.clock.now(), await this.store.callsKeptSince());
    const idempotency = idempotencyKey === null ? null : { key: idempotencyKey, hash: hashOf(body) };
    const { organizationId, projectId, actor, userId } = caller;
    const creator = { type: actor.type, id: actor.id ?? '', userId };
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const queued = await this.store.lockQueued(tx, organizationId);
      const earlier =
        idempotency === null
          ? null
          : await this.store.findByKey(tx, organizationId, projectId, idempotency.key);
      if (earlier !== null) return sameOrder(earlier, idempotency?.hash);
      if (queued >= QUEUED_MAX) {
        throw new GatewayError(
          'conflict',
          `At most ${String(QUEUED_MAX)} exports of an organization can wait: try again later, or cancel one.`,
        );
      }
      const id = newId('export');
      const created = { ...order, id, organizationId, projectId, creator, idempotency };
      const record = await this.store.createExport(tx, created);
      await audit('export.create', id, initialFields(auditedExport(record)));
      return record;
    });
  }

  /** @throws GatewayError `notFound`; `conflict` for one that has ended. */
  cancel(caller: Caller, id: string): Promise<ExportRecord> {
    return this.locked(caller, id, async (found, mutation) => {
      if (!isOpen(found)) {
        throw new GatewayError('conflict', 'Only an export that is queued or running can be cancelled.');
      }
      return this.cancelLocked(found, mutation);
    });
  }

  /** Deletes file and record. @throws GatewayError `notFound`. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.locked(caller, id, async (found, mutation) => {
      if (isOpen(found)) await this.cancelLocked(found, mutation);
      await mutation.audit('export.delete', id, { kind: { from: found.kind } });
      await this.store.removeExport(mutation.tx, found);
    });
  }

  /** @throws GatewayError `notFound`, `permissionDenied`; `conflict` for one without a file. */
  download(caller: Caller, id: string): Promise<DownloadUrl> {
    return this.locked(caller, id, async (found, { audit, at }) => {
      requireKind(caller, found.kind);
      if (found.state !== 'completed') {
        throw new GatewayError('conflict', 'Only a completed export can be loaded down.');
      }
      await audit('export.download', id);
      const expires = Math.ceil((at.getTime() + LINK_LIVES_MS) / 1_000);
      const { organizationId } = found;
      const signature = linkSignature(this.linkKeys[0], { exportId: id, organizationId, expires });
      const query = new URLSearchParams({ expires: String(expires), signature });
      const url = `${this.baseUrl}/downloads/exports/${id}?${query.toString()}`;
      return { url, expiresAt: new Date(expires * 1_000) };
    });
  }

  private async cancelLocked(found: ExportRecord, { tx, audit }: Mutation): Promise<ExportRecord> {
    await audit('export.cancel', found.id, { state: { from: found.state, to: 'cancelled' } });
    return this.store.cancelExport(tx, found);
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (found: ExportRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    const { organizationId, projectId } = caller;
    return this.mutations.run(caller, async (mutation) =>
      work(known(await this.store.lockExport(mutation.tx, organizationId, id, projectId)), mutation),
    );
  }
}

const isOpen = ({ state }: ExportRecord): boolean => state === 'queued' || state === 'running';

/** Beside the permission of the route, the caller needs that with which the rows are read elsewhere. */
function requireKind({ permissions }: Caller, kind: ExportKind): void {
  const { permission } = kindRules[kind];
  if (permissions.has(permission)) return;
  throw new GatewayError('permissionDenied', `Exports of this kind need the permission ${permission} too.`);
}

function sameOrder(
  { record, hash }: { readonly record: ExportRecord; readonly hash: string | null },
  asked: string | undefined,
): ExportRecord {
  if (hash === asked) return record;
  throw new GatewayError('idempotencyKeyReused', 'This key was used for another export.', {
    param: 'Idempotency-Key',
  });
}

const hashOf = (body: z.output<typeof newExport>): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(body)) as JsonValue))
    .digest('hex');
