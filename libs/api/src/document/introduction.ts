/** The reference's introduction: what all routes share (docs/reference/management-conventions.md). */
export const INTRODUCTION = [
  'Calls models, and administers organizations, projects, API keys, budgets, webhooks, OAuth apps, usage and wallets.',

  'A caller shows an API key (`Authorization: Bearer svc_sk_…` or `X-Api-Key`), an OAuth access token, or the cookie of a console session. A key holds the permissions that it was created with. A session allows what the member’s role allows at that moment. An access token allows the same, within its scopes. A write with the session’s cookie needs the header `X-CSRF-Token`.',

  'A collection is served at `/api/v1/…`, where the organization is the caller’s own, and below `/api/v1/organizations/{organization_id}`. A resource of another organization is answered with 404, like one that does not exist.',

  'A list answers newest first with `{"data": […], "has_more": …, "next_cursor": …}`; `limit` is 1 to 100, and `cursor` takes the `next_cursor` of the page before.',

  'Money is an integer of nano-dollars in fields that end in `_nanos`. Time is ISO 8601, UTC, with milliseconds. Days and months are UTC.',

  'Every failed call is answered with `{"error": {type, message, code, param, request_id, retriable}}`. `param` names the field, header or bucket at fault. Every answer carries `X-Request-Id`.',
].join('\n\n');
