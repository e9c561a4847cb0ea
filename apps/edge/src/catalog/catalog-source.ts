import { readFileSync } from 'node:fs';
import { parseCatalog, type Catalog } from '@svc/inference';
import { type Logger } from '@svc/platform';

interface CatalogOptions {
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** The catalog file, read at start and again on SIGHUP (contract.md section 6). Calls keep the one they were planned on. */
export class CatalogSource {
  private catalog: Catalog;

  /** @throws CatalogError naming file, line and field. */
  constructor(private readonly options: CatalogOptions) {
    this.catalog = this.read();
  }

  current(): Catalog {
    return this.catalog;
  }

  /** A file that can't be used changes nothing: the catalog at hand goes on serving. */
  reload(): void {
    const { logger, file } = this.options;
    try {
      this.catalog = this.read();
      logger.info({ file, models: this.catalog.models.size }, 'catalog reloaded');
    } catch (error) {
      logger.error({ file, err: error }, 'catalog not reloaded; the one before goes on serving');
    }
  }

  private read(): Catalog {
    const { file, environment } = this.options;
    return parseCatalog(readFileSync(file, 'utf8'), { file, env: environment });
  }
}
