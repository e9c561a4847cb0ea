import { listOf } from '../../api/list';
import {
  flag,
  idOf,
  oneOf,
  several,
  text,
  whole,
  type AddressOf,
  type Parameter,
} from '../../browser/address';
import { createdWithin, word, yesNo } from '../../browser/list';
import { statuses } from '../../calls/request';
import { dollars, nanosOf } from './dollars';

const httpStatus = whole(100, 599);

/** The `Svc-Session-Id` of a call, as the API takes it: 1 to 128 visible ASCII characters. */
const session: Parameter<string> = (texts) =>
  texts.length === 1 && /^[\x21-\x7e]{1,128}$/.test(texts[0] ?? '') ? texts[0] : undefined;

/** Whom a call was for: the id or the name, as the API takes it. */
const endUser: Parameter<string> = (texts) =>
  texts.length === 1 && /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}]{1,256}$/u.test(texts[0] ?? '')
    ? texts[0]
    : undefined;

/** The calls. */
export const requestList = listOf('/requests', {
  status: word(several(oneOf(...statuses))),
  failed: yesNo(),
  model: word(several(text)),
  provider: word(several(text)),
  key: word(several(idOf('apiKey')), 'api_key_id'),
  project: word(several(idOf('project')), 'project_id'),
  http_status: word(several(httpStatus)),
  error: word(several(text), 'error_code'),
  attempts: word(whole(1, 100), 'attempts_min'),
  cost: word(dollars, 'min_cost_nanos', nanosOf),
  duration: word(whole(), 'min_duration_ms'),
  first_token: word(whole(), 'min_ttft_ms'),
  stream: yesNo(),
  session: word(session, 'session_id'),
  end_user: word(endUser),
  ...createdWithin,
});

/** Its filters, the switch "Live" and the open row. */
export const requestsAddress = { ...requestList.address, live: flag, open: idOf('request') } as const;
export type RequestsAddress = AddressOf<typeof requestsAddress>;
export type FilterKey = keyof typeof requestList.filters;
export const filterKeys = Object.keys(requestList.filters) as readonly FilterKey[];
