import { Readable } from 'node:stream';
import { Controller, Get, Head, Inject, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ToErrorHandler, known } from '@svc/api';
import { isGoodLink } from '@svc/exports';
import { GatewayError, isId, type Clock } from '@svc/kernel';
import { ExportStore, type ExportFile } from '@svc/exports/store';
import { type Sealer } from '@svc/runtime';
import { SealedObject, type ByteRange, type ObjectStore } from '@svc/storage';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { CLOCK, LINK_KEYS, OBJECT_STORE, SEALER } from '../runtime';
import { readRange } from './byte-range';

/** A reader that takes nothing for so long is given up. */
const SILENCE_MS = 60_000;

/**
 * The files of exports, to whoever has a link (docs/reference/exports.md#download-links). They pass through the service, so that a link stops
 * when the export is deleted or expires, or when the organization is suspended.
 */
@Controller('downloads/exports')
@UseFilters(ToErrorHandler)
export class DownloadsController {
  constructor(
    private readonly exports: ExportStore,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(LINK_KEYS) private readonly linkKeys: readonly Buffer[],
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Head(':export_id')
  async head(
    @Param('export_id') id: string,
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.fileOf(id, http);
    void reply.headers({ ...headersOf(file), 'content-length': String(file.bytes) }).send();
  }

  @Get(':export_id')
  async get(
    @Param('export_id') id: string,
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.fileOf(id, http);
    const { 'if-range': condition = tagOf(file), range: asked } = http.headers;
    // A range of another file is no use to the caller.
    const range = condition === tagOf(file) ? readRange(asked, file.bytes) : null;
    void reply.headers(headersOf(file));
    if (range === 'unsatisfiable') {
      void reply
        .code(416)
        .headers({ 'content-range': `bytes */${String(file.bytes)}` })
        .send('');
      return;
    }
    const { start, end } = range ?? { start: 0, end: file.bytes };
    if (range !== null) {
      const last = String(end - 1);
      void reply.code(206).header('content-range', `bytes ${String(start)}-${last}/${String(file.bytes)}`);
    }
    http.raw.socket.setTimeout(SILENCE_MS, () => http.raw.socket.destroy());
    http.raw.socket.once('close', () => http.raw.socket.setTimeout(0));
    void reply.header('content-length', String(end - start)).send(this.contentOf(file, { start, end }));
  }

  private contentOf({ fileKey, objectKey, parts }: ExportFile, range: ByteRange): Readable {
    return Readable.from(new SealedObject(fileKey, objectKey).read(this.store, parts, range), {
      objectMode: false,
    });
  }

  /**
   * @throws GatewayError `notFound` for an export that is not there any more; `permissionDenied` for a link that is forged or old.
   */
  private async fileOf(id: string, { query }: FastifyRequest): Promise<ExportFile> {
    const organizationId = known(isId('export', id) ? await this.exports.organizationOf(id) : null);
    const { expires, signature } = query as Readonly<Record<string, unknown>>;
    const isGood =
      typeof expires === 'string' &&
      typeof signature === 'string' &&
      /^\d{1,12}$/.test(expires) &&
      isGoodLink(
        this.linkKeys,
        { exportId: id, organizationId, expires: Number(expires) },
        signature,
        this.clock.now(),
      );
    if (!isGood)
      throw new GatewayError('permissionDenied', 'The link is not valid, or has expired: make a new one.');
    return known(await this.exports.findFile(organizationId, id, this.sealer));
  }
}

const tagOf = ({ sha256 }: ExportFile): string => `"${sha256 ?? ''}"`;

function headersOf(file: ExportFile): Readonly<Record<string, string>> {
  const name = [file.kind, '-', file.id, '.', file.format, file.compression === 'gzip' ? '.gz' : ''].join('');
  return {
    'content-type': contentTypeOf(file),
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: tagOf(file),
  };
}

function contentTypeOf({ format, compression }: ExportFile): string {
  if (compression === 'gzip') return 'application/gzip';
  return format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/jsonl';
}
