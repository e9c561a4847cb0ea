-- An integration that is enabled gets what waited for it, oldest first, one at a time until it proves that it takes more.
CREATE OR REPLACE FUNCTION open_integration_lane() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO integration_lanes (integration_id, turn_at) VALUES (NEW.id, now())
  ON CONFLICT (integration_id) DO UPDATE SET turn_at = excluded.turn_at, slots = 1, "full" = false;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER open_integration_lane AFTER UPDATE ON integrations
  FOR EACH ROW WHEN (NEW.enabled AND NOT OLD.enabled) EXECUTE FUNCTION open_integration_lane();
