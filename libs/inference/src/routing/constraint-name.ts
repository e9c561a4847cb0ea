/** The conditions for an endpoint to be planned, in the order of evaluation. */
export type ConstraintName =
  | 'model'
  | 'credential'
  | 'provider'
  | 'region'
  | 'data_retention'
  | 'credential_mode'
  | 'operation'
  | 'priced_betas'
  | 'parameters'
  | 'circuit';
