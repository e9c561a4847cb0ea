// `node apps/console/generate-client.mjs`: the types of the management API and of login, for the browser's client. They
// come from the OpenAPI documents that the built services print; nothing runs. The documents are kept beside them, for
// the examples that specs answer.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const folder = join(import.meta.dirname, 'web/api/generated');
const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const isInteger = ({ type }) => [type].flat().includes('integer');

/** Amounts are read from the source text of the JSON, so that none is rounded to a double. */
const amountsAsBigint = (schema, { path = '' }) => {
  if (!/_nanos(\/anyOf\/\d+)?$/.test(path) || !isInteger(schema)) return undefined;
  if (!schema.type.includes('null') || schema.type === 'integer') return bigint;
  return ts.factory.createUnionTypeNode([bigint, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);
};

for (const service of ['management', 'auth']) {
  const program = join(import.meta.dirname, `../../dist/apps/${service}/src/print-document.js`);
  const document = JSON.parse(execFileSync(process.execPath, [program], { maxBuffer: 1 << 26 }));
  // A field with a default need not be sent.
  const types = await openapiTypescript(document, { defaultNonNullable: false, transform: amountsAsBigint });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${service}.d.ts`), astToString(types));
  writeFileSync(join(folder, `${service}.json`), JSON.stringify(document));
}
