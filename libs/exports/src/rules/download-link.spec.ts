import fc from 'fast-check';
import { isGoodLink, linkSignature, type DownloadLink } from './download-link';

const [KEY, OTHER] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const link: DownloadLink = { exportId: 'exp_1', organizationId: 'org_1', expires: 2_000 };
const NOW_MS = 1_999_999;

it('a link is good until it expires', () => {
  const signature = linkSignature(KEY, link);
  expect(isGoodLink([KEY], link, signature, NOW_MS)).toBe(true);
  expect(isGoodLink([OTHER, KEY], link, signature, NOW_MS)).toBe(true);
  expect(isGoodLink([KEY], link, signature, 2_000_000)).toBe(false);
});

it.each<[string, Partial<DownloadLink>]>([
  ['a later expiry', { expires: 2_001 }],
  ['another export', { exportId: 'exp_2' }],
  ['another organization', { organizationId: 'org_2' }],
])('a signature holds for no link with %s', (_, change) => {
  expect(isGoodLink([KEY], { ...link, ...change }, linkSignature(KEY, link), NOW_MS)).toBe(false);
});

it('nothing but the signature is one', () => {
  expect(isGoodLink([OTHER], link, linkSignature(KEY, link), NOW_MS)).toBe(false);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isGoodLink([KEY], link, text, NOW_MS)).toBe(false);
    }),
  );
});
