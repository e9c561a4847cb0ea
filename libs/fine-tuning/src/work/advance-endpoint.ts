import { LeaseLostError } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';
import { PROVIDER_IDLE_MINUTES_MORE } from '../rules/endpoints/endpoint-state';
import { type ProviderReport } from '../rules/endpoints/judge-run';
import { type EndpointDriver, type ProviderEndpoint } from '../rules/provider/endpoint-driver';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { type EndpointRuns, type LeasedRun } from './endpoint-runs';

/** The provider and the offer of a run. */
interface EndpointOffer {
  /** Null where the provider cannot be asked now: the catalog or the credential is gone. */
  readonly driver: EndpointDriver | null;
  /** True where the catalog still has the provider and the hardware. */
  readonly isOffered: boolean;
}

export interface EndpointAdvancing {
  readonly runs: EndpointRuns;
  readonly offerOf: (run: LeasedRun) => Promise<EndpointOffer>;
  /** `SVC_FINE_TUNING_POLL_SECONDS`, in milliseconds. */
  readonly pollMs: number;
  readonly logger: Logger;
  readonly onUnmetered: (seconds: number) => void;
  readonly onPollFailure: () => void;
}

const GONE: ProviderReport = { kind: 'gone' };
const NOTHING: ProviderReport = { kind: 'nothing' };

/** Goes on with the run that has been due for longest (docs/decisions/0048). */
export async function advanceEndpoint(advancing: EndpointAdvancing): Promise<{ readonly more: boolean }> {
  const run = await advancing.runs.claim();
  if (run === null) return { more: false };
  try {
    await new EndpointStep(run, advancing).take();
  } catch (error) {
    // Somebody else goes on with it.
    if (error instanceof LeaseLostError) return { more: true };
    advancing.logger.warn({ err: error, run: run.id }, 'endpoint not tended; it will be tried again');
    await advancing.runs.postpone(run);
  }
  return { more: true };
}

class EndpointStep {
  private upstreamEndpoint: string | null;

  constructor(
    private readonly run: LeasedRun,
    private readonly advancing: EndpointAdvancing,
  ) {
    this.upstreamEndpoint = run.upstreamEndpoint;
  }

  async take(): Promise<void> {
    const { run } = this;
    const { driver, isOffered } = await this.advancing.offerOf(run);
    if (run.state === 'stopped' || run.state === 'failed') {
      await this.clean(driver);
      return;
    }
    const said = await this.asked(driver, (known) => this.ask(known));
    if ((await this.commit(said, isOffered, false)) === 'nothing') return;
    const ordered = await this.asked(driver, (known) => this.order(known));
    await this.commit(ordered, isOffered, true);
  }

  private async commit(
    said: ProviderReport,
    isOffered: boolean,
    wasOrdered: boolean,
  ): Promise<'order' | 'nothing'> {
    const { runs, pollMs, onUnmetered } = this.advancing;
    const { next, unmeteredSeconds } = await runs.advanceRun(this.run, said, {
      isOffered,
      wasOrdered,
      pollMs,
    });
    onUnmetered(unmeteredSeconds);
    return next;
  }

  private async ask(driver: EndpointDriver): Promise<ProviderReport> {
    if (this.upstreamEndpoint !== null) return saidOf(await this.state(driver, this.upstreamEndpoint));
    // After a kill, or where the answer was lost: it is never made twice.
    const found = await driver.find(this.run.id);
    if (found !== null) return this.made(found);
    return this.run.state === 'starting' ? this.made(await this.create(driver)) : GONE;
  }

  /** The endpoint as it is now. Somebody may have raised `idle_stop_minutes` since the provider was told of it. */
  private async state(driver: EndpointDriver, id: string): Promise<ProviderEndpoint | null> {
    const endpoint = await driver.state(id);
    const told = endpoint?.state === 'started' ? endpoint.idleTimeoutMinutes : null;
    if (told === null || told >= this.idleTimeoutMinutes) return endpoint;
    return driver.changeIdleTimeout(id, this.idleTimeoutMinutes).catch((error: unknown) => {
      if (!(error instanceof ProviderRefusal || error instanceof ProviderUnreachable)) throw error;
      // It serves all the same, and the next turn tries again.
      this.advancing.logger.warn(
        { err: error, run: this.run.id },
        'the provider did not take the idle time-out',
      );
      return endpoint;
    });
  }

  /** The provider's own comes after ours: it ends what we can't. */
  private get idleTimeoutMinutes(): number {
    return this.run.idleStopMinutes + PROVIDER_IDLE_MINUTES_MORE;
  }

  private create(driver: EndpointDriver): Promise<ProviderEndpoint> {
    const { id: name, upstreamModel: model, hardware } = this.run;
    return driver.create({ name, model, hardware, idleTimeoutMinutes: this.idleTimeoutMinutes });
  }

  private async made(endpoint: ProviderEndpoint): Promise<ProviderReport> {
    this.upstreamEndpoint = endpoint.id;
    await this.advancing.runs.noteMade(this.run, endpoint.id);
    return saidOf(endpoint);
  }

  private async order(driver: EndpointDriver): Promise<ProviderReport> {
    return this.upstreamEndpoint === null ? NOTHING : saidOf(await driver.stop(this.upstreamEndpoint));
  }

  /** Ends for good what the provider still has of a run. */
  private async clean(driver: EndpointDriver | null): Promise<void> {
    const { runs } = this.advancing;
    const cleaned = await this.asked(driver, async (known) => {
      const id = this.upstreamEndpoint ?? (await known.find(this.run.id))?.id ?? null;
      if (id !== null) await known.remove(id);
      return GONE;
    });
    if (cleaned.kind === 'gone') await runs.noteRemoved(this.run);
    else await runs.postpone(this.run);
  }

  private async asked(
    driver: EndpointDriver | null,
    question: (driver: EndpointDriver) => Promise<ProviderReport>,
  ): Promise<ProviderReport> {
    if (driver === null) return NOTHING;
    try {
      return await question(driver);
    } catch (error) {
      if (error instanceof ProviderRefusal) {
        this.advancing.logger.warn(
          { run: this.run.id, provider: this.run.provider, providerCode: error.providerCode },
          'the provider refused',
        );
        return { kind: 'refused' };
      }
      if (!(error instanceof ProviderUnreachable)) throw error;
      this.advancing.onPollFailure();
      return NOTHING;
    }
  }
}

const saidOf = (endpoint: ProviderEndpoint | null): ProviderReport =>
  endpoint === null ? GONE : { kind: 'is', endpoint };
