/** The characters that stay of an id's end: enough to tell neighbours apart, whose times of creation are alike. */
const TAIL = 6;
const HEAD = 4;

/** An id shortened in the middle: `req_01m8…vwg0b3`. A text that is hardly longer than that stays whole. */
export function shortId(id: string): string {
  const start = id.indexOf('_') + 1 + HEAD;
  return id.length <= start + TAIL + 1 ? id : `${id.slice(0, start)}…${id.slice(-TAIL)}`;
}

const ID = /^[a-z]+_[0-9a-z]{26}$/;

/** Whom something is of, by an id or a name: an id is shortened, a name never. */
export const shortSubject = (subject: string): string => (ID.test(subject) ? shortId(subject) : subject);

/** The model of a catalog endpoint's id: `acme/small` of `acme/small|acme|eu|small-1`. */
export const modelOfEndpoint = (endpointId: string): string => endpointId.split('|')[0] ?? endpointId;
