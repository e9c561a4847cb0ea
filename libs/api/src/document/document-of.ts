import { type Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import { type ResourceDeclaration } from '../resource-declaration';
import { openApiDocument, type DocumentOptions } from './openapi-document';
import { operationsDeclaredBy, operationsOf } from './operations';
import { type OpenApiDocument } from './rendered-document';

/** The contents of the OpenAPI document of a process. */
export interface DocumentedProcess extends DocumentOptions {
  readonly controllers: readonly Type[];
  /** Resources of other processes, which the document describes too. */
  readonly otherResources: readonly ResourceDeclaration[];
}

/** Renders the document from the declarations alone: nothing has to run. */
export function documentOf({ controllers, otherResources, ...options }: DocumentedProcess): OpenApiDocument {
  const operations = [
    ...operationsOf(controllers, new MetadataScanner()),
    ...operationsDeclaredBy(otherResources),
  ];
  return openApiDocument(operations, options);
}
