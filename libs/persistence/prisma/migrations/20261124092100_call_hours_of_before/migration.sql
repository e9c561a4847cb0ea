-- Marks the hours of minutes from before the triggers. Reads every minute once, some seconds for ten million, and blocks no call.

INSERT INTO call_hours_due (organization_id, hour, changed_at)
SELECT DISTINCT organization_id, date_bin('1 hour', minute, timestamptz 'epoch'), now() FROM call_minutes
ORDER BY 1, 2
ON CONFLICT (organization_id, hour) DO NOTHING;
