-- Marks the hours of minutes that are written, also by edges of the version before. The row stays locked until the minutes are
-- committed, also where nothing of it changes, and the worker sums an hour up under the same lock: so a sum never misses a minute
-- of an hour that is not marked.
CREATE OR REPLACE FUNCTION mark_call_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO call_hours_due AS due (organization_id, hour, changed_at)
  SELECT DISTINCT organization_id, date_bin('1 hour', minute, timestamptz 'epoch'), now() FROM new_rows
  ORDER BY 1, 2
  ON CONFLICT (organization_id, hour) DO UPDATE SET changed_at = excluded.changed_at
  WHERE due.changed_at < excluded.changed_at - interval '1 min';
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER mark_call_hours_of_new AFTER INSERT ON call_minutes
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_call_hours();
CREATE OR REPLACE TRIGGER mark_call_hours_of_changed AFTER UPDATE ON call_minutes
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION mark_call_hours();
