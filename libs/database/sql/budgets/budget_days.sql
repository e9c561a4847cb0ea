-- The days of a period, the last one excluded, by its key: 2026-11-20, 2026-W53 (ISO 8601), 2026-11, 2026-Q4. Null for a session.
CREATE OR REPLACE FUNCTION budget_days(period text, period_key text, OUT first_day date, OUT end_day date) LANGUAGE plpgsql STABLE AS $$
BEGIN
  CASE period
    WHEN 'day' THEN first_day := period_key::date;
    WHEN 'week' THEN first_day := to_date(period_key, 'IYYY-"W"IW');
    WHEN 'month' THEN first_day := (period_key || '-01')::date;
    WHEN 'quarter' THEN first_day := make_date(left(period_key, 4)::int, right(period_key, 1)::int * 3 - 2, 1);
    ELSE RETURN;
  END CASE;
  end_day := first_day + CASE period WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || period)::interval END;
END
$$;
