-- Whether an edge process is dead, and its calls are the worker's to close.
CREATE OR REPLACE FUNCTION edge_is_lost(instance_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT leases_are_proof() AND NOT EXISTS (
    SELECT FROM edge_instances e WHERE e.id = instance_id AND e.lease_until > clock_timestamp())
$$;
