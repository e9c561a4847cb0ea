import fc from 'fast-check';
import { holdRows } from './live-rows';

interface Row {
  readonly id: string;
  readonly state: string;
}
const rows = fc.uniqueArray(
  fc.record<Row>({ id: fc.nat(40).map(String), state: fc.constantFrom('pending', 'final') }),
  { selector: ({ id }) => id, maxLength: 20 },
);

describe('the rows of a live list', () => {
  it('are the fresh ones while nobody holds the list', () => {
    fc.assert(
      fc.property(rows, (fresh) => {
        expect(holdRows(null, fresh)).toEqual({ rows: fresh, waiting: 0 });
      }),
    );
  });

  it('keep their places while the list is held, and show their new state', () => {
    fc.assert(
      fc.property(rows, rows, (held, fresh) => {
        fc.pre(held.length > 0);
        const shown = holdRows(held, fresh);
        expect(shown.rows.map(({ id }) => id)).toEqual(held.map(({ id }) => id));
        for (const row of shown.rows)
          expect(row.state).toBe([...fresh, ...held].find(({ id }) => id === row.id)?.state);
        const known = new Set(held.map(({ id }) => id));
        expect(shown.waiting).toBe(new Set(fresh.map(({ id }) => id).filter((id) => !known.has(id))).size);
      }),
    );
  });
});
