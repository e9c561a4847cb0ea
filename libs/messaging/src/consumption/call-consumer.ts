import { type Counter, type Logger } from '@svc/runtime/observability';
import { type MessageConsumer, type MessageOutcome } from './message-consumer';
import { type ReceivedMessage } from './received-message';
import { type CallRecord } from '../call-record';

/** Hands each finished call to a handler once: what fails is lost, so that nothing waits for telemetry. */
export class CallConsumer implements MessageConsumer {
  readonly messagesMax = 1;

  constructor(
    readonly group: string,
    private readonly handle: (call: CallRecord) => Promise<void>,
    private readonly logger: Logger,
    private readonly outcomes: Counter<'consumer' | 'outcome'>,
  ) {}

  async takeFirst([message]: readonly ReceivedMessage[]): Promise<number> {
    if (message === undefined) return 0;
    const { key, payload } = message;
    await this.takeCall({ organizationId: key ?? '', payload: payload.toString() });
    return 1;
  }

  /** Never rejects. */
  async takeCall(call: CallRecord): Promise<void> {
    let outcome: MessageOutcome = 'handled';
    try {
      await this.handle(call);
    } catch (error) {
      outcome = 'lost';
      const { organizationId: organization_id } = call;
      this.logger.warn({ consumer: this.group, organization_id, err: error }, 'finished call lost');
    }
    this.outcomes.inc({ consumer: this.group, outcome });
  }
}
