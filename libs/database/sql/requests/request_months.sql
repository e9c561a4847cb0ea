-- The partitions but for the default one: from the first id (null: from the beginning) to the one that is no longer in it.
CREATE OR REPLACE VIEW request_months AS
  SELECT c.oid::regclass AS partition,
    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \(''(\w+)''\)') AS from_id,
    substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''(\w+)''\)') AS to_id
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'request_records'::regclass AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT';
