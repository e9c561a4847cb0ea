-- Usage by a tag, 1 of 5 (docs/decisions/0026): where tags are kept. Instant: no row is read or written.

-- The label of calls by whose value an organization has its usage summed.
ALTER TABLE organizations ADD COLUMN usage_tag TEXT;

-- The tags of an organization on a day. They are bounded, so that values without end (ids of users, say) make no rows without end.
CREATE TABLE usage_day_tags (
  organization_id TEXT NOT NULL,
  day DATE NOT NULL,
  tag TEXT NOT NULL,
  CONSTRAINT usage_day_tags_pkey PRIMARY KEY (organization_id, day, tag)
);
