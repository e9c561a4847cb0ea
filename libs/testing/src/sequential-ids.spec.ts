import { isId } from '@svc/kernel';
import { sequentialIds } from './sequential-ids';

describe('sequentialIds', () => {
  it('makes valid ids that sort by age and are the same in every run', () => {
    const newId = sequentialIds();
    const ids = Array.from({ length: 40 }, () => newId('request'));
    expect(ids.every((id) => isId('request', id))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(40);
    const again = sequentialIds();
    expect(ids.map(() => again('request'))).toEqual(ids);
  });
});
