import { Inject, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type ResourceDeclaration } from '../resource-declaration';
import { openApiDocument, type DocumentOptions } from './openapi-document';
import { operationsDeclaredBy, operationsOf } from './operations';
import { type OpenApiDocument } from './rendered-document';

export const DOCUMENT_OPTIONS = Symbol('document options');

/** Builds the document at the first call, when all controllers of this process are known. */
@Injectable()
export class DocumentSource {
  private document: OpenApiDocument | undefined;

  constructor(
    @Inject(DOCUMENT_OPTIONS)
    private readonly options: DocumentOptions & { readonly otherResources: readonly ResourceDeclaration[] },
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  get(): OpenApiDocument {
    return (this.document ??= this.describe());
  }

  private describe(): OpenApiDocument {
    const own = this.discovery.getControllers().map(({ metatype }) => metatype as Type);
    const operations = [
      ...operationsOf(own, this.scanner),
      ...operationsDeclaredBy(this.options.otherResources),
    ];
    return openApiDocument(operations, this.options);
  }
}
