-- The request log by months, 2 of 3: reads the whole table once, while calls go on (SHARE UPDATE EXCLUSIVE).
ALTER TABLE request_records VALIDATE CONSTRAINT request_records_before_months;
