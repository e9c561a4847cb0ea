#!/usr/bin/env node
// The program of the packed package: runs the built service in it, with a data folder in the working directory.
import { join } from 'node:path';
import { becomeService } from './service.mjs';
import { root } from './workspace.mjs';

const catalog = process.env.SVC_CATALOG_FILE || join(root, 'config/catalog.yaml');
await becomeService({ ...process.env, SVC_CATALOG_FILE: catalog });
