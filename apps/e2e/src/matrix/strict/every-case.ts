import { post } from '../../harness/clients';
import { endedWell } from '../../harness/stream-frames';
import { modelOf, type MatrixWorld } from '../matrix-world';
import { simulatorUpstream } from '../upstreams';
import { routes } from './cases';
import { type VendorName } from './vendors/vendors';

/** The protocol of a provider, and whose rules it has. */
type StrictProvider = readonly ['openai' | 'anthropic', VendorName];

/** Sends every case on every route to each provider, which must take it, as an answer and as a stream. */
export const describeEveryCase = (providers: readonly StrictProvider[], worldOf: () => MatrixWorld): void => {
  describe.each(routes)('on %s', (route, base, cases) => {
    describe.each(providers)(
      'with a provider of the protocol of %s with the rules of %s',
      (protocol, vendor) => {
        it.each(cases)('takes %s', async (_, fields) => {
          const { recorder, svc } = worldOf();
          recorder.refusals.length = 0;
          const model = modelOf(simulatorUpstream, protocol, vendor);
          for (const stream of 'stream' in fields ? [fields.stream] : [false, true]) {
            const answer = await post(svc, route, { model, ...base, ...fields, stream });
            const text = await answer.text();
            expect(recorder.refusals).toEqual([]);
            expect({ status: answer.status, text }).toMatchObject({ status: 200 });
            if (stream === true) expect(endedWell(text)).toBe(true);
          }
        });
      },
    );
  });
};
