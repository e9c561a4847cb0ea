// Jest's global set-up of the specs that compare times: over PostgreSQL, and in a browser.
import pages from './pages.mjs';
import postgres from './postgres.mjs';

export default async function setUp() {
  await postgres();
  await pages();
}
