-- Notes which months grew since it was last called. Crashes and failovers reset the statistics: what is 0 did not grow.
CREATE OR REPLACE FUNCTION note_request_arrivals() RETURNS void LANGUAGE sql AS $$
  INSERT INTO request_month_arrivals AS a
  SELECT m.partition::text, pg_stat_get_tuples_inserted(m.partition), '-infinity' FROM request_months m
  ON CONFLICT ("partition") DO UPDATE SET arrived = EXCLUDED.arrived,
    arrived_at = CASE WHEN EXCLUDED.arrived NOT IN (0, a.arrived) THEN now() ELSE a.arrived_at END
$$;
