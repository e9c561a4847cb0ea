import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { listEnvelope, type ListEnvelope, type Slice } from './page';

/** Puts what a list's method answers into the envelope of every list. */
export class WrapList implements NestInterceptor<Slice<unknown>, ListEnvelope<unknown>> {
  intercept(
    _context: ExecutionContext,
    next: CallHandler<Slice<unknown>>,
  ): Observable<ListEnvelope<unknown>> {
    return next.handle().pipe(map(listEnvelope));
  }
}
