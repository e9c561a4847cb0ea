import { type IntegrationHealth } from '@svc/deliveries/store';
import { type Logger } from '@svc/runtime/observability';

interface HealthNotesOptions {
  readonly health: Pick<IntegrationHealth, 'noteOutcome'>;
  readonly logger: Logger;
  /** `performance.now` */
  readonly nowMs: () => number;
}

/** Successes in a row are written this often, so that batches cost no transaction each. */
const SUCCESS_EVERY_MS = 60_000;

/** Notes how sending to collectors goes: failures in a row disable an integration. */
export class HealthNotes {
  /** When the last success was written, of integrations that have not failed since. */
  private readonly successAtMs = new Map<string, number>();

  constructor(private readonly options: HealthNotesOptions) {}

  /** Never throws: telemetry is sent though its health cannot be written. */
  async note(integrationId: string, outcome: 'acknowledged' | 'failed'): Promise<void> {
    const { health, logger, nowMs } = this.options;
    const writtenAtMs = this.successAtMs.get(integrationId) ?? -Infinity;
    if (outcome === 'acknowledged' && nowMs() - writtenAtMs < SUCCESS_EVERY_MS) return;
    this.successAtMs.delete(integrationId);
    try {
      const isDisabled = await health.noteOutcome(integrationId, outcome);
      if (outcome === 'acknowledged') this.successAtMs.set(integrationId, nowMs());
      if (isDisabled) logger.info({ integration_id: integrationId }, 'integration disabled');
    } catch (err) {
      logger.error({ integration_id: integrationId, err }, 'health of an integration not written');
    }
  }
}
