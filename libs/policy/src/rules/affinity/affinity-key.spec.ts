import fc from 'fast-check';
import { type AffinityFacts, affinityKey } from './affinity-key';

const facts = (changes: Partial<AffinityFacts> = {}): AffinityFacts => ({
  organizationId: 'org_1',
  modelId: 'acme/small',
  sessionId: null,
  agentId: null,
  conversation: () => 'text\0\0Hi',
  ...changes,
});
const neverAsked = (): string => {
  throw new Error('The body was read.');
};

describe('the affinity key', () => {
  it('is of the session of a header, whatever the body says, and then the body is not read', () => {
    const key = affinityKey(facts({ sessionId: 's', conversation: neverAsked }));
    expect(key).toMatch(/^[\w-]{22}$/);
    expect(affinityKey(facts({ sessionId: 's', conversation: () => 'other' }))).toBe(key);
  });

  it('differs by organization, model, session, agent and conversation, and only by them', () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme-ascii' });
    const arbitrary = fc.record({
      organizationId: name,
      modelId: name,
      sessionId: fc.option(name),
      agentId: fc.option(name),
      text: name,
    });
    const keyOf = ({ text, ...rest }: Subject) =>
      affinityKey({ ...rest, conversation: () => `text\0${text}` });
    const subjectOf = ({ organizationId, modelId, sessionId, agentId, text }: Subject) =>
      JSON.stringify([organizationId, modelId, sessionId ?? { text }, sessionId && (agentId ?? '')]);
    fc.assert(
      fc.property(arbitrary, arbitrary, (one, other) => {
        expect(keyOf(one) === keyOf(other)).toBe(subjectOf(one) === subjectOf(other));
        expect(keyOf(one)).toBe(keyOf({ ...one }));
      }),
    );
  });

  it('is none for a call that is part of no conversation', () => {
    expect(affinityKey(facts({ conversation: () => null }))).toBeNull();
    expect(affinityKey(facts({ conversation: () => null, agentId: 'agent' }))).toBeNull();
  });

  it('says nothing of what it is made of', () => {
    expect(affinityKey(facts({ sessionId: 'night-42' }))).not.toContain('night');
  });
});

interface Subject {
  readonly organizationId: string;
  readonly modelId: string;
  readonly sessionId: string | null;
  readonly agentId: string | null;
  readonly text: string;
}
