import { integrationSecretContext, type OtlpIntegration } from '@svc/deliveries/store';
import { type Sealer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';

/** An integration of kind `otlp` with its headers. */
export interface Collector extends Omit<OtlpIntegration, 'sealedSecret'> {
  readonly headers: Readonly<Record<string, string>>;
}

interface OtlpIntegrationsOptions {
  readonly find: () => Promise<readonly OtlpIntegration[]>;
  readonly sealer: Sealer;
  readonly logger: Logger;
  /** `performance.now` */
  readonly nowMs: () => number;
}

/** Under the 30 s within which changes reach every process. */
const READ_EVERY_MS = 5_000;
/** For an organization that has none, which an edge may know better. */
const READ_AGAIN_MS = 500;

/** The active integrations of kind `otlp`, as they were at most 5 s ago. */
export class OtlpIntegrations {
  private byOrganization: ReadonlyMap<string, readonly Collector[]> = new Map();
  private readAtMs = -Infinity;
  private reading: Promise<void> | null = null;

  constructor(private readonly options: OtlpIntegrationsOptions) {}

  /** @throws what the database throws, while nothing is known. */
  async of(organizationId: string): Promise<readonly Collector[]> {
    await this.keepCurrent(READ_EVERY_MS);
    const known = this.byOrganization.get(organizationId);
    if (known !== undefined) return known;
    await this.keepCurrent(READ_AGAIN_MS);
    return this.byOrganization.get(organizationId) ?? [];
  }

  /** The integration as it is now; null once it is paused, disabled or deleted. Keeps what is known while the database is away. */
  async current(organizationId: string, integrationId: string): Promise<Collector | null> {
    await this.keepCurrent(READ_EVERY_MS).catch(() => undefined);
    return this.byOrganization.get(organizationId)?.find(({ id }) => id === integrationId) ?? null;
  }

  private async keepCurrent(ageMs: number): Promise<void> {
    if (this.options.nowMs() - this.readAtMs < ageMs) return;
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    await this.reading;
  }

  private async read(): Promise<void> {
    const beganAtMs = this.options.nowMs();
    const found = await this.options.find();
    const collectors = found.flatMap((integration) => this.collectorOf(integration) ?? []);
    this.byOrganization = Map.groupBy(collectors, ({ organizationId }) => organizationId);
    this.readAtMs = beganAtMs;
  }

  private collectorOf({ sealedSecret, ...integration }: OtlpIntegration): Collector | null {
    try {
      return {
        ...integration,
        headers: sealedSecret === null ? {} : this.headersIn(integration.id, sealedSecret),
      };
    } catch (err) {
      this.options.logger.error(
        { integration_id: integration.id, err },
        'headers of an integration not opened',
      );
      return null;
    }
  }

  private headersIn(id: string, sealedSecret: Buffer): Collector['headers'] {
    const opened = this.options.sealer.open(sealedSecret, integrationSecretContext(id)).toString();
    return (JSON.parse(opened) as { headers?: Collector['headers'] }).headers ?? {};
  }
}
