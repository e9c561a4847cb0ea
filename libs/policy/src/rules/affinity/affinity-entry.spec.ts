import fc from 'fast-check';
import { affinityEntryText, readAffinityEntry } from './affinity-entry';

describe('an affinity entry', () => {
  it('is read as it was written', () => {
    const name = fc.string().filter((text) => !text.includes('\n'));
    fc.assert(
      fc.property(name, name, (endpointId, credential) => {
        const entry = { endpointId, credential };
        expect(readAffinityEntry(affinityEntryText(entry))).toEqual(entry);
      }),
    );
  });

  it('is none where there is nothing, or something else', () => {
    for (const text of [undefined, '', 'endpoint', 'a\nb\nc']) expect(readAffinityEntry(text)).toBeNull();
  });
});
