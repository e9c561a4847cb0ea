// Jest's global set-up of the specs that look at pages: built services, the browser code, and a browser.
import { build } from '../../local/build.mjs';
import services from './services.mjs';

export default async function setUp() {
  await build();
  await services();
}
