import { type Database, SCAN_MAX, type ScannedRow, sliceOf, sliceOfScan } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';

export type ApiKeyState = 'active' | 'revoked';
export type ApiKeyPurpose = 'general' | 'playground';

export interface ApiKeyFilter {
  /** At most 100. */
  readonly ids?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
  readonly state?: ApiKeyState | undefined;
  readonly purpose?: ApiKeyPurpose | undefined;
  readonly createdBy?: string | undefined;
  /** A part of the name in any case, or the beginning of the key's visible prefix. */
  readonly text?: string | undefined;
}

interface FoundKey {
  readonly id: string;
}

/**
 * Finds keys, newest first. However many keys there are, a page scans a bounded number of them: it may hold less than
 * its limit and not be the last.
 * @param onlyProject the one project whose keys the caller may see; null for all keys.
 */
export async function searchKeys(
  database: Database,
  organizationId: string,
  page: Page,
  filter: ApiKeyFilter,
  onlyProject: string | null,
): Promise<Slice<FoundKey>> {
  const conditions = conditionsOf(organizationId, filter, onlyProject);
  if (filter.ids !== undefined) return findAmong(database, filter.ids, page, conditions);
  const project = onlyProject ?? filter.projectId;
  const scanned = [
    Prisma.sql`organization_id = ${organizationId}`,
    ...(project === undefined ? [] : [Prisma.sql`project_id = ${project}`]),
    ...(page.before === null ? [] : [Prisma.sql`id < ${page.before}`]),
  ];
  // In the order of an index, which is read until the page is full or SCAN_MAX keys are scanned.
  const rows = await database.prisma.$queryRaw<(FoundKey & ScannedRow)[]>`
    SELECT id, matches, ends_scan AS "endsScan" FROM (
      SELECT id, (${Prisma.join([...conditions], ' AND ')}) AS matches,
        row_number() OVER (ORDER BY id DESC) = ${SCAN_MAX} AS ends_scan
      FROM api_keys WHERE ${Prisma.join(scanned, ' AND ')}
      ORDER BY id DESC LIMIT ${SCAN_MAX}
    ) scanned
    WHERE matches OR ends_scan
    ORDER BY id DESC LIMIT ${page.limit + 1}`;
  return sliceOfScan(rows, page);
}

async function findAmong(
  { prisma }: Database,
  ids: readonly string[],
  page: Page,
  conditions: readonly Prisma.Sql[],
): Promise<Slice<FoundKey>> {
  const older = page.before === null ? Prisma.empty : Prisma.sql`AND id < ${page.before}`;
  const rows = await prisma.$queryRaw<FoundKey[]>`
    SELECT id FROM api_keys WHERE id = ANY (${[...ids]}) AND ${Prisma.join([...conditions], ' AND ')} ${older}
    ORDER BY id DESC LIMIT ${page.limit + 1}`;
  return sliceOf(rows, page, (row) => row);
}

const conditionsOf = (
  organizationId: string,
  { projectId, state, purpose, createdBy, text }: ApiKeyFilter,
  onlyProject: string | null,
): readonly Prisma.Sql[] => [
  Prisma.sql`organization_id = ${organizationId}`,
  ...(onlyProject === null ? [] : [Prisma.sql`project_id = ${onlyProject}`]),
  ...(projectId === undefined ? [] : [Prisma.sql`project_id = ${projectId}`]),
  ...(state === undefined ? [] : [Prisma.sql`state = ${state}`]),
  ...(purpose === undefined ? [] : [Prisma.sql`purpose = ${purpose}`]),
  ...(createdBy === undefined ? [] : [Prisma.sql`created_by = ${createdBy}`]),
  ...(text === undefined ? [] : [Prisma.sql`(name ~ ${inAnyCase(text)} OR starts_with(prefix, ${text}))`]),
];

/**
 * A regular expression that finds the text in any case. PostgreSQL's own comparison knows the case of ASCII letters only
 * where the database's locale is C.
 */
const inAnyCase = (text: string): string =>
  Array.from(text, (character) => {
    const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
    const single = [...cases].filter((one) => Array.from(one).length === 1);
    return single.length > 1 ? `[${single.join('')}]` : character.replace(/[^\p{L}\p{N}\s]/u, '\\$&');
  }).join('');
