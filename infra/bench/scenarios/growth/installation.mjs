// An installation of a given size: its own database, and an edge on it.
import { randomBytes } from 'node:crypto';
import { say, secondsSince } from '../../../local/workspace.mjs';
import { svc } from '../../candidates/svc.mjs';
import { connectTo, setUp } from '../../machine/installation.mjs';
import { addKeyBudgets, addOrganizations } from '../../machine/organizations.mjs';
import { storeCalls } from '../../machine/stored-calls.mjs';

export const inWords = (count) => count.toLocaleString('en-US');

/** @returns its `edge`, a client of its `database`, and `keptBytesPerCall`: bytes on disk per stored call; undefined without stored calls. */
export async function startInstallation({ node, installation }, size) {
  const apiKey = `svc_sk_${randomBytes(32).toString('base64url')}`;
  const databaseUrl = await installation.newDatabase(`growth_${size.name}`);
  const environment = { ...installation.environment, SVC_DATABASE_URL: databaseUrl };
  setUp(node, environment, apiKey);
  const database = await connectTo(databaseUrl);
  const keptBytesPerCall = await fill(database, size);
  const edge = await svc.start({ node, installation: { environment, apiKey } });
  return { size, edge, database, keptBytesPerCall };
}

async function fill(database, { name, organizations, keysEach, budgetsEach, stored }) {
  const startedAtMs = Date.now();
  const tell = (what) => say(`growth: ${name}: ${what} after ${secondsSince(startedAtMs)}`);
  await addOrganizations(database, organizations, keysEach);
  for (let keysBefore = 1; keysBefore < budgetsEach; keysBefore++) {
    await addKeyBudgets(database, organizations, keysBefore);
  }
  tell(`${inWords(organizations)} organizations`);
  if (stored === 0) return undefined;
  const bytes = await storeCalls(database, { count: stored, organizations, keysEach }, (count) =>
    tell(`${inWords(count)} stored calls`),
  );
  tell('usage, VACUUM and ANALYZE');
  return bytes / stored;
}
