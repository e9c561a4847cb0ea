import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type CallRecord, CALLS } from '@svc/messaging';
import { callSpan, readFinishedCall } from '@svc/telemetry';
import { Telemetry } from './telemetry';

/** Takes finished calls. One that cannot be read is lost, and logged without its content. */
@Controller()
export class CallIntake {
  constructor(@Inject(Telemetry) private readonly telemetry: Pick<Telemetry, 'addSpan'>) {}

  @EventPattern(CALLS, { group: 'otlp' })
  async take(@Payload() { payload }: CallRecord): Promise<void> {
    const call = readFinishedCall(payload);
    if (call === null) throw new Error('The message is no finished call.');
    await this.telemetry.addSpan(call.organizationId, callSpan(call));
  }
}
