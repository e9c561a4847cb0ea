-- Whoever changes what edges remember, they are told when the change commits, and of nothing that does not. The name
-- of the channel and the payload are read by libs/database/src/changes.
CREATE OR REPLACE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- No edge remembers these: a key is used, and refused, all the time, and customers name things as often as they like.
  unheard text[] := '{last_used_at,updated_at,name,address_refused_at}';
  changed text := TG_TABLE_NAME;
  version jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(OLD) - unheard = to_jsonb(NEW) - unheard THEN
      RETURN NULL;
    END IF;
    -- Apart: customers change the tag as often as they like, and a change of an organization makes edges forget every key.
    IF TG_TABLE_NAME = 'organizations' THEN
      IF to_jsonb(OLD) - unheard - 'usage_tag' = to_jsonb(NEW) - unheard - 'usage_tag' THEN
        changed := 'organizations.usage_tag';
      ELSIF to_jsonb(OLD) - unheard - '{price_bps,own_credential_bps}'::text[]
          = to_jsonb(NEW) - unheard - '{price_bps,own_credential_bps}'::text[] THEN
        changed := 'organizations.prices';
      END IF;
    END IF;
  END IF;
  -- Edges remember which rollouts run with the policy that names them.
  IF TG_TABLE_NAME = 'rollouts' THEN
    changed := 'policy_versions';
  END IF;
  -- Both, because a key whose hash changed is remembered by the old one. What is told twice in a transaction is sent once.
  FOREACH version IN ARRAY ARRAY[to_jsonb(OLD), to_jsonb(NEW)] LOOP
    CONTINUE WHEN version IS NULL;
    PERFORM pg_notify('svc_changes', jsonb_strip_nulls(jsonb_build_object(
      'table', changed,
      'organization_id', coalesce(version->>'organization_id', version->>'id'),
      'project_id', CASE TG_TABLE_NAME WHEN 'projects' THEN version->>'id' END,
      'level', CASE TG_TABLE_NAME WHEN 'lower_policy_versions' THEN version->>'level' END,
      'owner_id', CASE TG_TABLE_NAME WHEN 'lower_policy_versions' THEN version->>'owner_id' END,
      'key_sha256', encode((version->>'secret_sha256')::bytea, 'base64')))::text);
  END LOOP;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON projects
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON policy_versions
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON lower_policy_versions
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON provider_credentials
  FOR EACH ROW EXECUTE FUNCTION tell_change();
-- A rollout begins and goes on with a version of the policy, of which edges hear. It ends by itself too.
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON rollouts
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state)
  EXECUTE FUNCTION tell_change();
-- Edges remember whose calls are told to collectors. They hear of nothing but that: the health of an integration changes all the time.
CREATE OR REPLACE TRIGGER tell_new AFTER INSERT ON integrations
  FOR EACH ROW WHEN (NEW.kind = 'otlp') EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON integrations
  FOR EACH ROW WHEN (NEW.kind = 'otlp' AND
    (OLD.enabled, OLD.config, OLD.deleted_at) IS DISTINCT FROM (NEW.enabled, NEW.config, NEW.deleted_at))
  EXECUTE FUNCTION tell_change();
-- Edges remember an organization's tuned models. What is left to do at the provider is not their concern.
CREATE OR REPLACE TRIGGER tell_new AFTER INSERT ON fine_tuned_models
  FOR EACH ROW EXECUTE FUNCTION tell_change();
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON fine_tuned_models
  FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION tell_change();
-- And which of them machines of their own serve. The rest of a run is not their concern.
CREATE OR REPLACE TRIGGER tell_change AFTER UPDATE ON fine_tuning_endpoint_runs
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state AND 'running' IN (OLD.state, NEW.state))
  EXECUTE FUNCTION tell_change();
