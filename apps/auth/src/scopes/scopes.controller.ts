import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import { scopes, scopeTable } from '@svc/access';
import { AnswerOauthErrors } from '../token/answer-oauth-errors';

/** `GET /api/v1/oauth/scopes`: the scope table, for developers of apps. It is public. */
@Controller('api/v1/oauth/scopes')
@UseFilters(AnswerOauthErrors)
export class ScopesController {
  @Get()
  @Header('cache-control', 'public, max-age=300')
  list(): object {
    const data = scopes.map((scope) => ({ scope, ...scopeTable[scope] }));
    return { data, has_more: false, next_cursor: null };
  }
}
