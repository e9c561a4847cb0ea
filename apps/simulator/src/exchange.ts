import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { type Accounts } from './accounts/accounts';
import { collectBody } from './body/collect-body';
import { parseBody } from './body/parse-body';
import { deliverBody } from './delivery/deliver-body';
import { deliverStream } from './delivery/deliver-stream';
import { pause } from './delivery/client-connection';
import { type Directive } from './directive/directive';
import { findDirective, type Found } from './directive/find-directive';
import { type JournalEntry } from './journal';
import { Refusal } from './refusal';
import { type ReadCall, type WireProtocol } from './wire-protocol';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Facts about a call for the journal, filled in while it runs. */
export interface CallFacts {
  model: JournalEntry['model'];
  stream: JournalEntry['stream'];
  directive: JournalEntry['directive'];
  bytes: JournalEntry['bytes'];
}

export function newCallFacts(): CallFacts {
  return { model: null, stream: false, directive: [], bytes: 0 };
}

/** The state of the simulated provider beyond a call. */
interface SimulatedProvider {
  readonly accounts: Accounts;
  /** Why a model is not served; null where it is. */
  refuseModel(model: string): Refusal | null;
}

/** One call to the simulated API, from its body to the end of its answer. */
export class Exchange {
  private readonly requestId = `req_sim_${randomUUID()}`;
  private readonly headers: OutgoingHttpHeaders = {
    'x-svc-simulator': '1',
    'x-request-id': this.requestId,
    'request-id': this.requestId,
  };

  constructor(
    private readonly protocol: WireProtocol,
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly facts: CallFacts,
    private readonly provider: SimulatedProvider,
  ) {}

  async run(requiredKey: string | undefined): Promise<void> {
    try {
      const bytes = await collectBody(this.incoming);
      this.facts.bytes = bytes.length;
      this.checkKey(requiredKey);
      const body = await parseBody(bytes);
      if (typeof body.model === 'string') this.facts.model = body.model;
      const call = this.protocol.readCall(body, this.incoming.headers);
      const refusal = this.provider.refuseModel(call.model);
      if (refusal !== null) throw refusal;
      const { model } = call;
      const credential = this.credential();
      const { directive, userText } = findDirective(this.directiveHeader(), call.userText, {
        model,
        credential,
      });
      this.facts.stream = call.stream;
      this.facts.directive = Object.keys(directive);
      const directed = this.provider.accounts.directed(directive, { model, credential, body }, Date.now());
      await this.answer(call, { directive: directed, userText });
    } catch (error) {
      const isDisconnected = !this.incoming.complete;
      if (isDisconnected) return;
      await this.refuse(error instanceof Refusal ? error : new Refusal(500, 'The simulator itself failed.'));
    }
  }

  private async answer(call: ReadCall, found: Found): Promise<void> {
    const { directive } = found;
    if (directive.delay_ms !== undefined) await pause(this.response, directive.delay_ms);
    if (this.response.closed) return;
    const headers = { ...this.headers, ...directive.headers };
    if (directive.body !== undefined || directive.status !== undefined) {
      await this.answerAsDirected(directive, headers);
    } else if (directive.malformed === true) {
      await this.answerMalformed(call.stream, headers);
    } else {
      await this.answerInShape(call, found, headers);
    }
  }

  private async answerInShape(call: ReadCall, found: Found, headers: OutgoingHttpHeaders): Promise<void> {
    const { directive } = found;
    const answer = call.answer({
      ...found,
      answerId: randomUUID().replaceAll('-', ''),
      requestId: this.requestId,
      nowMs: Date.now(),
    });
    const failure = directedFailure(directive);
    if (call.stream) {
      const failedFrame = (sentFrames: number): string => answer.failedFrame(failure, sentFrames);
      await deliverStream(this.response, headers, answer.frames(), failedFrame, directive);
      return;
    }
    // Without frames, an in-band error is the whole body of a 200.
    const body = directive.error_after === undefined ? answer.body() : answer.failedBody(failure);
    await deliverBody(this.response, 200, { ...JSON_TYPE, ...headers }, JSON.stringify(body), directive);
  }

  private async answerAsDirected(directive: Directive, headers: OutgoingHttpHeaders): Promise<void> {
    const status = directive.status ?? 200;
    const message = directive.error_message ?? `The Svc simulator was told to answer ${String(status)}.`;
    const body = directive.body ?? this.protocol.errorBody(new Refusal(status, message), this.requestId);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    await deliverBody(this.response, status, { ...JSON_TYPE, ...headers }, text, directive);
  }

  private async answerMalformed(stream: boolean, headers: OutgoingHttpHeaders): Promise<void> {
    const type = stream ? { 'content-type': 'text/event-stream; charset=utf-8' } : JSON_TYPE;
    const text = stream ? 'data: this is not the protocol\n\n' : '{"simulator":"this is not the protocol"}';
    await deliverBody(this.response, 200, { ...type, ...headers }, text);
  }

  private async refuse(refusal: Refusal): Promise<void> {
    const body = this.protocol.errorBody(refusal, this.requestId);
    await deliverBody(this.response, refusal.status, { ...JSON_TYPE, ...this.headers }, JSON.stringify(body));
  }

  private checkKey(requiredKey: string | undefined): void {
    if (requiredKey === undefined) return;
    const { authorization, 'x-api-key': apiKey } = this.incoming.headers;
    if (apiKey === requiredKey || authorization === `Bearer ${requiredKey}`) return;
    throw new Refusal(401, 'The API key that the simulator was sent is wrong or missing.');
  }

  private credential(): string {
    const { authorization = '', 'x-api-key': apiKey } = this.incoming.headers;
    return typeof apiKey === 'string' ? apiKey : authorization.replace(/^Bearer /, '');
  }

  private directiveHeader(): string | undefined {
    const header = this.incoming.headers['x-simulator'];
    return Array.isArray(header) ? header.join(',') : header;
  }
}

function directedFailure({ error_message: message }: Directive): Refusal {
  return new Refusal(529, message ?? 'The Svc simulator was told to fail here.', { code: 'overloaded' });
}
