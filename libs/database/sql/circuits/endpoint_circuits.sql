-- The circuit of each model endpoint over all live edges. Those that planned with it in the last 10 minutes judge it, or left it out of a
-- plan because its circuit is open: `open` if it is at all of them, `closed` if it is not at one, `unknown` without any. `open_since` is
-- the latest time of them, null unless open. An endpoint without a row is unknown too.
CREATE OR REPLACE VIEW endpoint_circuits AS
  SELECT endpoint_id, model, provider,
    CASE WHEN count(*) FILTER (WHERE judges) = 0 THEN 'unknown'
      WHEN bool_and(open_since IS NOT NULL) FILTER (WHERE judges) THEN 'open'
      ELSE 'closed' END AS state,
    CASE WHEN bool_and(open_since IS NOT NULL) FILTER (WHERE judges) THEN max(open_since) FILTER (WHERE judges) END AS open_since
  FROM (
    SELECT r.*, e.id IS NOT NULL AND r.planned_at > clock_timestamp() - interval '10 min' AS judges
    FROM circuit_reports r
    LEFT JOIN edge_instances e ON e.id = r.edge_instance_id AND e.lease_until > clock_timestamp()
  ) reported
  GROUP BY endpoint_id, model, provider;
