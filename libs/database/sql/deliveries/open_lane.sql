-- A receiver that is enabled gets what waited for it, oldest first, one at a time until it proves that it takes more.
CREATE OR REPLACE FUNCTION {{open_lane}}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {{lanes}} ({{receiver_id}}, turn_at) VALUES (NEW.id, now())
  ON CONFLICT ({{receiver_id}}) DO UPDATE SET turn_at = excluded.turn_at, slots = 1, "full" = false;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER {{open_lane}} AFTER UPDATE ON {{receivers}}
  FOR EACH ROW WHEN (NEW.enabled AND NOT OLD.enabled) EXECUTE FUNCTION {{open_lane}}();
