import { Inject, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { documentOf, type DocumentedProcess } from './document-of';
import { type OpenApiDocument } from './rendered-document';

export const DOCUMENT_OPTIONS = Symbol('document options');

/** Builds the document at the first call, when all controllers of this process are known. */
@Injectable()
export class DocumentSource {
  private document: OpenApiDocument | undefined;

  constructor(
    @Inject(DOCUMENT_OPTIONS)
    private readonly options: Omit<DocumentedProcess, 'controllers'>,
    private readonly discovery: DiscoveryService,
  ) {}

  get(): OpenApiDocument {
    return (this.document ??= this.describe());
  }

  private describe(): OpenApiDocument {
    const controllers = this.discovery.getControllers().map(({ metatype }) => metatype as Type);
    return documentOf({ ...this.options, controllers });
  }
}
