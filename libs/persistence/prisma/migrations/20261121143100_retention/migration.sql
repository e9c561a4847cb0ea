-- Finds what is old enough to be deleted, however long the history is. Ended sessions in budget_spends have no index:
-- one on updated_at would keep every call's update from staying on its page.
CREATE INDEX outbox_events_published ON outbox_events (published_at) WHERE published_at IS NOT NULL;
