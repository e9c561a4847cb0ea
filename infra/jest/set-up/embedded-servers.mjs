// Jest's global set-up of tiers that have specs of every kind: over PostgreSQL, over built services, and in a browser.
import pages from './pages.mjs';
import postgres from './postgres.mjs';

export default async function setUp() {
  await postgres();
  await pages();
}
