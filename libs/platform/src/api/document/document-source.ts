import { Inject, Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { openApiDocument, type DocumentOptions, type OpenApiDocument } from './openapi-document';
import { operationsOf } from './operations';

export const DOCUMENT_OPTIONS = Symbol('document options');

/** The document, put together once it is asked for: all controllers of this process are known by then. */
@Injectable()
export class DocumentSource {
  private document: OpenApiDocument | undefined;

  constructor(
    @Inject(DOCUMENT_OPTIONS)
    private readonly options: DocumentOptions & { readonly otherControllers: readonly Type[] },
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  get(): OpenApiDocument {
    return (this.document ??= this.describe());
  }

  private describe(): OpenApiDocument {
    const own = this.discovery.getControllers().map(({ metatype }) => metatype as Type);
    const controllers = [...own, ...this.options.otherControllers];
    return openApiDocument(operationsOf(controllers, this.scanner), this.options);
  }
}
