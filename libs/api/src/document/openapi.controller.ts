import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import { ToErrorHandler } from '../to-error-handler';
import { DocumentSource } from './document-source';
import { type OpenApiDocument } from './rendered-document';

/** `GET /api/v1/openapi.json`: the routes of this process, from the declarations that serve them. */
@Controller('api/v1/openapi.json')
@UseFilters(ToErrorHandler)
export class OpenApiController {
  constructor(private readonly source: DocumentSource) {}

  @Get()
  @Header('cache-control', 'public, max-age=300')
  read(): OpenApiDocument {
    return this.source.get();
  }
}
