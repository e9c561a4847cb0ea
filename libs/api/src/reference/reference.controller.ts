import { Controller, Get, Res, UseFilters } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { DocumentSource } from '../document/document-source';
import { ToErrorHandler } from '../to-error-handler';
import { type Documented } from './documented';
import { referenceHeaders, referencePage } from './reference-page';

/** `GET /api/v1/docs`: the same document, for people. */
@Controller('api/v1/docs')
@UseFilters(ToErrorHandler)
export class ReferenceController {
  private page: string | undefined;

  constructor(private readonly source: DocumentSource) {}

  @Get()
  read(@Res() reply: FastifyReply): void {
    this.page ??= referencePage(this.source.get() as object as Documented);
    void reply
      .headers({ ...referenceHeaders, 'cache-control': 'public, max-age=300' })
      .type('text/html; charset=utf-8')
      .send(this.page);
  }
}
