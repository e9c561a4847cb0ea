-- Deliveries are a history of their organization and one of their endpoint: a page of either is one range of its index,
-- compared as pairs (libs/persistence/src/history).
DROP INDEX webhook_deliveries_organization_id_id_idx;
CREATE INDEX webhook_deliveries_organization_id_id_idx ON webhook_deliveries (organization_id, id);
DROP INDEX webhook_deliveries_endpoint_id_id_idx;
CREATE INDEX webhook_deliveries_endpoint_id_id_idx ON webhook_deliveries (endpoint_id, id);
