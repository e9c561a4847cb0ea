import { Readable } from 'node:stream';
import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import { callerOf, fileListQuery, OpenedByKey, ToErrorHandler, unknownResource, validated } from '@svc/api';
import { isId } from '@svc/kernel';
import { SealedObject, type ObjectStore } from '@svc/storage';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { OBJECT_STORE } from '../runtime';
import { presentFile } from './file-schema';
import { TrainingFiles } from './training-files';

/** A peer that sends or takes nothing for so long is given up. */
const SILENCE_MS = 60_000;

/** Files in the form of OpenAI’s API, for its SDK unmodified (docs/reference/fine-tuning.md#training-files). */
@Controller('v1/files')
@UseFilters(ToErrorHandler)
export class FilesController {
  constructor(
    private readonly files: TrainingFiles,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  @Post()
  @HttpCode(200)
  @OpenedByKey('fine_tuning:write')
  async create(@Req() http: FastifyRequest) {
    return presentFile(await this.files.upload(callerOf(http), http.raw));
  }

  @Get()
  @OpenedByKey('fine_tuning:read')
  async list(@Req() http: FastifyRequest, @Query() query: object) {
    const { items, hasMore } = await this.files.list(callerOf(http), validated(fileListQuery, query));
    const data = items.map(presentFile);
    return {
      object: 'list',
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: hasMore,
    };
  }

  @Get(':file_id')
  @OpenedByKey('fine_tuning:read')
  async get(@Req() http: FastifyRequest, @Param('file_id') id: string) {
    return presentFile(await this.files.get(callerOf(http), idOf(id)));
  }

  @Delete(':file_id')
  @OpenedByKey('fine_tuning:write')
  async remove(@Req() http: FastifyRequest, @Param('file_id') id: string) {
    await this.files.remove(callerOf(http), idOf(id));
    return { id, object: 'file', deleted: true };
  }

  @Get(':file_id/content')
  @OpenedByKey('fine_tuning:write')
  async content(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('file_id') id: string,
  ): Promise<void> {
    const { bytes, fileKey, objectKey, parts } = await this.files.content(callerOf(http), idOf(id));
    giveUpSilent(http);
    const lines = new SealedObject(fileKey, objectKey).read(this.store, parts, { start: 0, end: bytes });
    const headers = {
      'content-type': 'application/jsonl',
      'content-length': String(bytes),
      'content-disposition': `attachment; filename="${id}.jsonl"`,
      'x-content-type-options': 'nosniff',
    };
    void reply.headers(headers).send(Readable.from(lines, { objectMode: false }));
  }
}

/** @throws GatewayError `notFound` for an id of another kind, such as a provider's own. */
function idOf(text: string): string {
  if (!isId('file', text)) throw unknownResource();
  return text;
}

/** Node.js then closes the connection, and sets its own time again with the next call. */
function giveUpSilent({ raw }: FastifyRequest): void {
  raw.socket.setTimeout(SILENCE_MS);
}
