import { type BodyFields, requiredText, wrongType } from '../body/body-fields';
import { Refusal } from '../refusal';
import { DedicatedEndpoint } from './dedicated-endpoint';
import { type FineTuningDirective } from './fine-tuning-settings';
import { newUpstreamId } from './new-upstream-id';
import { type TuningJobs } from './tuning-jobs';

const INACTIVE_MINUTES_MAX = 10_080;

/** https://docs.together.ai/reference/createendpoint and its neighbours. */
export class DedicatedEndpoints {
  private readonly endpoints = new Map<string, DedicatedEndpoint>();

  constructor(private readonly jobs: TuningJobs) {}

  /** It is started, unless `state` is STOPPED. @throws Refusal 400. */
  add(body: BodyFields, settings: FineTuningDirective, nowMs: number): DedicatedEndpoint {
    const model = requiredText(body, 'model');
    const directive = { ...settings, ...this.jobs.directiveOf(model) };
    if (this.jobs.isDeleted(model)) throw new Refusal(404, `Model not found: ${model}`, { param: 'model' });
    if (directive.endpoint === 'refused') {
      throw new Refusal(400, 'There is no capacity for this hardware.', {
        param: 'hardware',
        code: 'no_capacity',
      });
    }
    const id = newUpstreamId('endpoint-');
    const displayName = typeof body.display_name === 'string' ? body.display_name : model;
    const endpoint = new DedicatedEndpoint(
      {
        id,
        name: `svc-simulator/${model}-${id.slice(-8)}`,
        displayName,
        model,
        hardware: requiredText(body, 'hardware'),
        createdAtMs: nowMs,
        directive,
      },
      inactiveTimeout(body) ?? null,
    );
    if (body.state !== 'STOPPED') endpoint.start(nowMs);
    this.endpoints.set(id, endpoint);
    return endpoint;
  }

  list(nowMs: number): readonly DedicatedEndpoint[] {
    return [...this.endpoints.values()].filter((endpoint) => !endpoint.isGone(nowMs)).reverse();
  }

  /** @throws Refusal 404. */
  get(id: string, nowMs: number): DedicatedEndpoint {
    const endpoint = this.endpoints.get(id);
    if (endpoint === undefined || endpoint.isGone(nowMs))
      throw new Refusal(404, `Endpoint not found: ${id}`, { code: 'endpoint_not_found' });
    return endpoint;
  }

  /** @throws Refusal. */
  change(id: string, body: BodyFields, nowMs: number): DedicatedEndpoint {
    const endpoint = this.get(id, nowMs);
    if (body.state !== undefined && body.state !== 'STARTED' && body.state !== 'STOPPED')
      throw wrongType('state', 'STARTED or STOPPED');
    const minutes = inactiveTimeout(body);
    if (minutes !== undefined) endpoint.inactiveTimeout = minutes;
    if (body.state === 'STARTED') endpoint.start(nowMs);
    if (body.state === 'STOPPED') endpoint.stop(nowMs);
    return endpoint;
  }

  /** @throws Refusal 404. */
  remove(id: string, nowMs: number): void {
    this.get(id, nowMs);
    this.endpoints.delete(id);
  }

  /** A call named this model. @returns why it is not served, or null where it is no endpoint's business. */
  call(name: string, nowMs: number): Refusal | null {
    if (!name.startsWith('svc-simulator/')) return null;
    const endpoint = [...this.endpoints.values()].find((one) => one.endpoint.name === name);
    if (endpoint?.call(nowMs) === true) return null;
    return new Refusal(404, `The endpoint '${name}' does not serve.`, { code: 'endpoint_not_running' });
  }
}

function inactiveTimeout(body: BodyFields): number | null | undefined {
  const value = body.inactive_timeout;
  if (value === undefined || value === null) return value;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > INACTIVE_MINUTES_MAX)
    throw wrongType('inactive_timeout', 'minutes, or null');
  return value;
}
