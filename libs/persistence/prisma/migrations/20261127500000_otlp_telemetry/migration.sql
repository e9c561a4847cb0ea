-- Telemetry of calls to integrations of kind otlp (docs/decisions/0043). Instant: the table is new.

CREATE TABLE otlp_metric_cursors (
  integration_id TEXT NOT NULL,
  next_minute TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT otlp_metric_cursors_pkey PRIMARY KEY (integration_id),
  CONSTRAINT otlp_metric_cursors_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations (id)
    ON DELETE CASCADE ON UPDATE CASCADE
);

-- Edges remember whose calls are told to collectors. They hear of nothing but that: the health of an integration changes all the time.
CREATE OR REPLACE TRIGGER tell_new AFTER INSERT ON integrations
  FOR EACH ROW WHEN (NEW.kind = 'otlp') EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON integrations
  FOR EACH ROW WHEN (NEW.kind = 'otlp' AND
    (OLD.enabled, OLD.config, OLD.deleted_at) IS DISTINCT FROM (NEW.enabled, NEW.config, NEW.deleted_at))
  EXECUTE FUNCTION tell_change();
