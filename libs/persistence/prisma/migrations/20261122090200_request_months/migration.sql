-- The request log by months, 3 of 3 (docs/decisions/0013): the table of today becomes the first partition of a table of the same name
-- and columns, as it is: no row is read or moved.
--
-- Locked until the commit, some ten milliseconds: budget_drift, then request_records. What waits for them goes on with the new table, since
-- functions and statements find it by its name.

CREATE TABLE request_records_by_month (LIKE request_records INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id);
ALTER TABLE request_records_by_month DROP CONSTRAINT request_records_before_months;

-- contract: it takes both locks, in the order in which a reader of the view does. Where something reads for longer (a dump, say), it lets go
-- of both and tries again, and so it is a block: calls wait for half a second at most.
DO $$
BEGIN
  LOOP
    BEGIN
      SET LOCAL lock_timeout = '500ms';
      -- A view follows its table, not the name: it would go on with the first partition. What it says is unchanged.
      CREATE OR REPLACE VIEW budget_drift AS
        WITH reserved AS (
          SELECT p.budget_id, p.period_key, sum(r.held_nanos)::bigint AS nanos
          FROM request_records_by_month r, jsonb_to_recordset(r.budget_periods) AS p (budget_id text, period_key text)
          WHERE r.status = 'pending'
          GROUP BY 1, 2
        ), booked AS (
          SELECT g.organization_id, s.budget_id, s.period_key, budget_usage(g, s.period_key) AS spent_nanos,
            coalesce(r.nanos, 0) AS reserved_nanos, s.spent_nanos AS shown_spent, s.reserved_nanos AS shown_reserved
          FROM budgets g
          JOIN budget_spends s ON s.budget_id = g.id
            AND s.period_key = to_char(now() AT TIME ZONE 'UTC', CASE g.period WHEN 'day' THEN 'YYYY-MM-DD' ELSE 'YYYY-MM' END)
          LEFT JOIN reserved r ON r.budget_id = s.budget_id AND r.period_key = s.period_key
          WHERE g.enabled AND g.period IN ('day', 'month')
        )
        SELECT organization_id, budget_id, period_key, spent_nanos, reserved_nanos
        FROM booked
        WHERE spent_nanos <> shown_spent OR reserved_nanos <> shown_reserved;
      LOCK TABLE request_records IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(2);
    END;
  END LOOP;
END
$$;

ALTER INDEX request_records_pkey RENAME TO request_records_first_pkey;
ALTER INDEX request_records_organization_id_id_idx RENAME TO request_records_first_organization_id_id_idx;
ALTER INDEX request_records_pending RENAME TO request_records_first_pending;
ALTER INDEX request_records_provisional RENAME TO request_records_first_provisional;

-- Those of the first partition are the same, so they are taken as they are; each later partition gets its own.
ALTER TABLE request_records_by_month ADD CONSTRAINT request_records_pkey PRIMARY KEY (id);
CREATE INDEX request_records_organization_id_id_idx ON request_records_by_month (organization_id, id);
CREATE INDEX request_records_pending ON request_records_by_month (edge_instance_id) WHERE status = 'pending';
CREATE INDEX request_records_provisional ON request_records_by_month (finished_at) WHERE cost_state = 'provisional';

-- contract: the table below has the name from the same moment on.
ALTER TABLE request_records RENAME TO request_records_first;
ALTER TABLE request_records_by_month RENAME TO request_records;

-- contract: it attaches the first partition, and must be a block because the bound stands in the check, which saves reading the table.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE request_records ATTACH PARTITION request_records_first FOR VALUES FROM (MINVALUE) TO (%L)',
    (SELECT substring(pg_get_expr(conbin, conrelid) FROM 'req_\w+') FROM pg_constraint
     WHERE conrelid = 'request_records_first'::regclass AND conname = 'request_records_before_months'));
END
$$;
ALTER TABLE request_records_first DROP CONSTRAINT request_records_before_months;

-- Takes what no month takes, so that no call is refused.
CREATE TABLE request_records_default PARTITION OF request_records DEFAULT;

-- The partitions but for the default one: from the first id (null: from the beginning) to the one that is no longer in it.
CREATE VIEW request_months AS
  SELECT c.oid::regclass AS partition,
    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''(\w+)''\)') AS from_id,
    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''(\w+)''\)') AS to_id
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'request_records'::regclass AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT';

-- Makes the partition of the month (UTC) in which a time lies, unless there is one: false. Calls of that month that are in the default
-- partition move, up to moved_max: for as long all calls wait. More of them are an error, and stay where they are.
--
-- Locks, in this order: request_records against another of these (SHARE UPDATE EXCLUSIVE, calls go on), then the default partition
-- against all, from the moment that nobody uses it; where none comes within 200 ms, that is an error, and nothing is changed.
CREATE FUNCTION make_request_month(at timestamptz, moved_max bigint DEFAULT 100000) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '10s' AS $$
DECLARE
  month timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  month_from text := request_id_at(month AT TIME ZONE 'UTC');
  month_to text := request_id_at((month + interval '1 month') AT TIME ZONE 'UTC');
  name text := to_char(month, '"request_records_"YYYY"_"MM');
BEGIN
  LOCK TABLE ONLY request_records IN SHARE UPDATE EXCLUSIVE MODE;
  IF EXISTS (SELECT FROM request_months m WHERE m.to_id > month_from AND (m.from_id IS NULL OR m.from_id < month_to)) THEN
    RETURN false;
  END IF;
  IF (SELECT count(*) FROM (SELECT FROM request_records_default d WHERE d.id >= month_from AND d.id < month_to
      LIMIT moved_max + 1) AS counted) > moved_max THEN
    RAISE EXCEPTION 'request_records_default holds more than % calls of %: docs/operate.md says how to move them',
      moved_max, to_char(month, 'YYYY-MM') USING ERRCODE = 'program_limit_exceeded';
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE request_records INCLUDING ALL)', name);
  SET LOCAL lock_timeout = '200ms';
  LOCK TABLE request_records_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH moved AS (DELETE FROM request_records_default WHERE id >= %L AND id < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', month_from, month_to, name);
  EXECUTE format('ALTER TABLE request_records ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, month_from, month_to);
  RETURN true;
END
$$;

-- Whether a call of this partition is pending, or its cost still provisional: two looks into indexes of what is open only.
CREATE FUNCTION has_open_requests(partition regclass) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  is_open boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM %1$s WHERE status = ''pending'')
    OR EXISTS (SELECT FROM %1$s WHERE cost_state = ''provisional'')', partition) INTO is_open;
  RETURN is_open;
END
$$;

-- Drops the oldest partition that ends at a time or before, unless something in it is open: then the next one. Null: none is left.
--
-- Locks, in this order: request_records against another of these (SHARE UPDATE EXCLUSIVE), then against all, from the moment
-- that nobody uses it until the commit, some milliseconds; where none comes within 200 ms, that is an error, and nothing is changed.
CREATE FUNCTION drop_request_month(before timestamptz) RETURNS text LANGUAGE plpgsql SET lock_timeout = '10s' AS $$
DECLARE
  old regclass;
  name text;
BEGIN
  LOCK TABLE ONLY request_records IN SHARE UPDATE EXCLUSIVE MODE;
  FOR old IN SELECT m.partition FROM request_months m WHERE m.to_id <= request_id_at(before) ORDER BY m.to_id LOOP
    CONTINUE WHEN has_open_requests(old);
    name := old;
    SET LOCAL lock_timeout = '200ms';
    LOCK TABLE ONLY request_records IN ACCESS EXCLUSIVE MODE;
    -- Nobody opens a call of the past, but nobody can now.
    CONTINUE WHEN has_open_requests(old);
    EXECUTE format('DROP TABLE %s', name);
    RETURN name;
  END LOOP;
  RETURN NULL;
END
$$;

-- From here on the worker does it.
SELECT make_request_month(now() + ahead * interval '1 month') FROM generate_series(0, 2) AS ahead;
