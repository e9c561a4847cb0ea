import { GatewayError } from '@svc/kernel';

/** @param param path of the value */
export function wrongType(param: string, expected: string): GatewayError {
  return new GatewayError('invalidRequest', `The field \`${param}\` must be ${expected}.`, { param });
}
