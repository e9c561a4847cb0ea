import { parseCatalog, type Catalog } from '@svc/inference';
import { type Logger, ReloadedFile } from '@svc/platform';

interface CatalogOptions {
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** The catalog file, read at start and again on SIGHUP (contract.md section 6). Calls keep the one they were planned on. */
export class CatalogSource extends ReloadedFile<Catalog> {
  /** @throws CatalogError naming file, line and field. */
  constructor({ file, environment, logger }: CatalogOptions) {
    super({ file, logger, parse: (text) => parseCatalog(text, { file, env: environment }) });
  }
}
