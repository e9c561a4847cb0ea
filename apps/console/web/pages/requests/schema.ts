import {
  flag,
  idOf,
  instant,
  oneOf,
  several,
  text,
  whole,
  type AddressOf,
  type Parameter,
} from '../../browser/address';
import { dollars } from './dollars';
import { statuses } from '../../calls/request';

const httpStatus = whole(100, 599);

/** The `Svc-Session-Id` of a call, as the API takes it: 1 to 128 visible ASCII characters. */
const session: Parameter<string> = (texts) =>
  texts.length === 1 && /^[\x21-\x7e]{1,128}$/.test(texts[0] ?? '') ? texts[0] : undefined;

/** The address of the list: its filters, the switch "Live" and the open row. */
export const schema = {
  model: several(text),
  provider: several(text),
  status: several(oneOf(...statuses)),
  http_status: several(httpStatus),
  error: several(text),
  key: several(idOf('apiKey')),
  project: several(idOf('project')),
  stream: flag,
  session,
  attempts: whole(1, 100),
  cost: dollars,
  duration: whole(),
  first_token: whole(),
  after: instant,
  before: instant,
  live: flag,
  open: idOf('request'),
} as const;

export type RequestsAddress = AddressOf<typeof schema>;
