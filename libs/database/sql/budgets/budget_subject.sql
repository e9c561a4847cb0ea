-- Which of the calls' facts the scope of a budget looks at. Null: the call has none, and is not counted.
CREATE OR REPLACE FUNCTION budget_subject(scope text, organization_id text, project_id text, api_key_id text, end_user_id text,
  member_id text, model text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE scope
    WHEN 'project' THEN project_id
    WHEN 'api_key' THEN api_key_id
    WHEN 'end_user' THEN end_user_id
    WHEN 'member' THEN member_id
    WHEN 'model' THEN model
    ELSE organization_id END
$$;
