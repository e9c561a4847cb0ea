import { parseCatalogFiles, type Catalog } from '@svc/catalog';
import { ReloadedFiles } from '@svc/runtime/config';
import { type Logger } from '@svc/runtime/observability';

interface CatalogOptions {
  readonly files: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/**
 * The catalog files, read at start and again on SIGHUP (docs/reference/models-and-catalog.md#reload). A call keeps
 * the catalog that it was planned on.
 */
export class CatalogSource extends ReloadedFiles<Catalog> {
  /** @throws CatalogError naming file, line and field. */
  constructor({ files, environment, logger }: CatalogOptions) {
    super({ files, logger, parse: (texts) => parseCatalogFiles(texts, environment) });
  }
}
