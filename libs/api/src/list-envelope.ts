import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Slice } from '@svc/kernel';
import { map, type Observable } from 'rxjs';
import { listEnvelope, type ListEnvelope } from './page';

/** Puts the result of a list's method into the list envelope. */
export class WrapList implements NestInterceptor<Slice<unknown>, ListEnvelope<unknown>> {
  intercept(
    _context: ExecutionContext,
    next: CallHandler<Slice<unknown>>,
  ): Observable<ListEnvelope<unknown>> {
    return next.handle().pipe(map(listEnvelope));
  }
}
