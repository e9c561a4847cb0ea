-- An update that ends an attempt also gives its slot back to a lane that has none.
CREATE OR REPLACE FUNCTION {{call_lanes_for_changed}}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {{lanes}} AS lane ({{receiver_id}}, turn_at)
  SELECT n.{{receiver_id}}, min(n.next_attempt_at)
  FROM new_rows n JOIN old_rows o USING (id)
  WHERE n.lease_id IS NULL
    AND (o.lease_id IS NOT NULL OR n.next_attempt_at IS DISTINCT FROM o.next_attempt_at)
    AND (o.lease_id IS NOT NULL OR n.next_attempt_at IS NOT NULL)
  GROUP BY n.{{receiver_id}} ORDER BY n.{{receiver_id}}
  ON CONFLICT ({{receiver_id}}) DO UPDATE
    SET "full" = false, turn_at = CASE WHEN lane."full" THEN now() ELSE least(lane.turn_at, excluded.turn_at) END
  WHERE lane."full" OR excluded.turn_at < coalesce(lane.turn_at, 'infinity');
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER {{call_lanes_for_changed}} AFTER UPDATE ON {{deliveries}}
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION {{call_lanes_for_changed}}();
