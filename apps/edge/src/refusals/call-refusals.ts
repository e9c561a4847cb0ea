import { type GatewayError } from '@svc/kernel';
import { PolicyRefusal } from '@svc/policy';
import { Counter, type Registry } from '@svc/runtime/observability';
import { type RefusalRecorder, type RefusedCaller } from '@svc/usage/work';

/** Notes refused calls with the recorder, and counts those that a policy refused. */
export class CallRefusals {
  private readonly byPolicy: Counter<'level' | 'field'>;

  constructor(
    private readonly recorder: Pick<RefusalRecorder, 'note'>,
    metrics: Registry,
  ) {
    this.byPolicy = new Counter({
      name: 'svc_policy_refusals_total',
      help: 'Calls that a policy refused, by the level and the field that decided it.',
      labelNames: ['level', 'field'],
      registers: [metrics],
    });
  }

  /** @param model as the call named it. */
  note(caller: RefusedCaller, model: string | null | undefined, error: GatewayError): void {
    if (error instanceof PolicyRefusal) for (const denial of error.denials) this.byPolicy.inc({ ...denial });
    this.recorder.note(caller, model, error);
  }
}
