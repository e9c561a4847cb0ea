-- Whether a call of this partition is pending, or its cost still provisional: two looks into indexes of what is open only.
CREATE OR REPLACE FUNCTION has_open_requests(partition regclass) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  is_open boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %1$s WHERE status = ''pending'')
    OR EXISTS (SELECT FROM %1$s WHERE cost_state = ''provisional'')', partition) INTO is_open;
  RETURN is_open;
END
$$;
