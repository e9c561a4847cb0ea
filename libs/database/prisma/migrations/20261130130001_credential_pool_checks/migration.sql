ALTER TABLE provider_credentials
  VALIDATE CONSTRAINT provider_credentials_weight_check,
  VALIDATE CONSTRAINT provider_credentials_rates_check;
