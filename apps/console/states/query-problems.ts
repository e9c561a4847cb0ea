import { Ajv, type ValidateFunction } from 'ajv';
import { documentedQuery, documentedSchemas, type DocumentedParameter } from './documented-examples';
import { type StubbedCall } from './stub-server';

/** An address has text alone: the API reads `50` as a number. */
const ajv = new Ajv({ coerceTypes: true, strict: false, validateFormats: false });
const validators = new WeakMap<DocumentedParameter, ValidateFunction>();

/**
 * What the API would refuse of a call's query with 400 `invalid_request`, by the OpenAPI documents: a parameter that the route
 * does not have, and a value that the parameter does not take.
 */
export function queryProblems({ method, path, query }: StubbedCall): string[] {
  const documented = documentedQuery(method, path);
  const problems = [...query].map(([name, value]) => problemOf(documented, name, value));
  return problems.flatMap((problem) => (problem === null ? [] : `${method} ${path}: ${problem}`));
}

function problemOf(documented: readonly DocumentedParameter[], name: string, value: string): string | null {
  // `metadata[team]=search` is described as the object `metadata`.
  const key = /^[^[]+/.exec(name)?.[0];
  const parameter = documented.find((described) => described.name === key);
  if (parameter === undefined) return `it has no parameter ${name}.`;
  if (key !== name) return null;
  const validate = validatorOf(parameter);
  if (validate({ value })) return null;
  return `${name}=${value} ${ajv.errorsText(validate.errors, { dataVar: name })}.`;
}

function validatorOf(parameter: DocumentedParameter): ValidateFunction {
  const known = validators.get(parameter);
  if (known !== undefined) return known;
  // A value is coerced in the object that has it.
  const validate = ajv.compile({
    type: 'object',
    properties: { value: parameter.schema },
    components: { schemas: documentedSchemas() },
  });
  validators.set(parameter, validate);
  return validate;
}
