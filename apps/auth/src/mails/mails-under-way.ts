import { type Logger } from '@svc/runtime/observability';

const UNDER_WAY_MAX = 50;

/** Mails that are sent beside an answer, which does not wait for them. */
export class MailsUnderWay {
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly logger: Logger) {}

  /** True where no more can be begun: the mail server does not keep up. */
  get isFull(): boolean {
    return this.underWay.size >= UNDER_WAY_MAX;
  }

  /** @param failed what the log says where it fails. */
  begin(send: () => Promise<void>, requestId: string, failed: string): void {
    const sending = send()
      .catch((error: unknown) => {
        this.logger.warn({ err: error, request_id: requestId }, failed);
      })
      .finally(() => this.underWay.delete(sending));
    this.underWay.add(sending);
  }

  /** Waits for the mails under way. The mailer bounds how long each takes. */
  async settle(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
