import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { html, htmlText } from '@svc/http';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type z } from 'zod';
import { type receipt } from './payment-schema';

type Receipt = z.input<typeof receipt>;

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const NANOS_IN_CENT = 10_000_000;

/** Answers with the receipt as a page where the caller asks for HTML, as a browser does. */
export class PrintableReceipt implements NestInterceptor<Receipt, Receipt | string> {
  intercept(context: ExecutionContext, next: CallHandler<Receipt>): Observable<Receipt | string> {
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    void reply.header('vary', 'accept');
    const { accept = '' } = http.getRequest<FastifyRequest>().headers;
    if (!/\btext\/html\b/.test(accept)) return next.handle();
    return next.handle().pipe(
      map((receipt) => {
        void reply.headers(HEADERS).type('text/html; charset=utf-8');
        return receiptPage(receipt);
      }),
    );
  }
}

const dollars = (amountNanos: number): string =>
  `$${(Math.round(amountNanos / NANOS_IN_CENT) / 100).toFixed(2)}`;

const receiptPage = (receipt: Receipt): string =>
  htmlText(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Receipt ${receipt.receipt_number}</title>
        </head>
        <body>
          <h1>Receipt ${receipt.receipt_number}</h1>
          ${receipt.livemode ? '' : html`<p><strong>Test mode: no money moved.</strong></p>`}
          <table>
            <tr>
              <th scope="row">Received from</th>
              <td>${receipt.organization.name} (${receipt.organization.id})</td>
            </tr>
            <tr>
              <th scope="row">For</th>
              <td>${receipt.description}</td>
            </tr>
            <tr>
              <th scope="row">Amount</th>
              <td>${dollars(receipt.amount_nanos)} ${receipt.currency.toUpperCase()}</td>
            </tr>
            <tr>
              <th scope="row">Refunded since</th>
              <td>${dollars(receipt.refunded_nanos)}</td>
            </tr>
            <tr>
              <th scope="row">Paid at</th>
              <td>${receipt.completed_at}</td>
            </tr>
            <tr>
              <th scope="row">Payment</th>
              <td>${receipt.payment_id}</td>
            </tr>
          </table>
        </body>
      </html> `,
  );
