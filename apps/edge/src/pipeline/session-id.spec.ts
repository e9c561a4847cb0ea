import fc from 'fast-check';
import { sessionIdIn } from './session-id';

const AGENTS = [
  'x-claude-code-session-id',
  'session_id',
  'session-id',
  'thread-id',
  'conversation_id',
  'x-session-id',
  'x-session-affinity',
];
const arbitrarySession = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 128,
});
const MALFORMED = ['', ' ', 'a b', 'a, b', 'é', '\u0000', 'x'.repeat(129)];

describe('the session of a call', () => {
  it('is what Svc-Session-Id names, whatever an agent sends beside it', () => {
    fc.assert(
      fc.property(arbitrarySession, fc.constantFrom(...AGENTS), arbitrarySession, (own, name, other) => {
        expect(sessionIdIn({ 'svc-session-id': own, [name]: other })).toBe(own);
      }),
    );
  });

  it('is else the first of what agents send, in the order of the documentation', () => {
    fc.assert(
      fc.property(fc.subarray(AGENTS, { minLength: 1 }), (sent) => {
        const headers = Object.fromEntries(
          sent.toReversed().map((name) => [name, `of ${name}`.replace(' ', '-')]),
        );
        expect(sessionIdIn(headers)).toBe(`of-${String(sent[0])}`);
      }),
    );
  });

  it.each(MALFORMED)('is none of what an agent sends malformed: %j', (value) => {
    for (const [at, name] of AGENTS.entries()) {
      expect(sessionIdIn({ [name]: value })).toBeNull();
      const next = AGENTS[at + 1];
      if (next !== undefined) expect(sessionIdIn({ [name]: value, [next]: 'next' })).toBe('next');
    }
  });

  it.each(MALFORMED.filter((value) => value !== ''))('cannot be a malformed Svc-Session-Id: %j', (value) => {
    expect(() => sessionIdIn({ 'svc-session-id': value, session_id: 'agent' })).toThrow(
      expect.objectContaining({ reason: 'invalidRequest', param: 'Svc-Session-Id' }),
    );
  });

  it('is none without a header, and an empty Svc-Session-Id is as none', () => {
    expect(sessionIdIn({})).toBeNull();
    expect(sessionIdIn({ 'svc-session-id': '' })).toBeNull();
    expect(sessionIdIn({ 'svc-session-id': '', 'thread-id': 'thread' })).toBe('thread');
  });
});
