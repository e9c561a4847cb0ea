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
  | 'account_references'
  | 'parameters'
  | 'circuit';
