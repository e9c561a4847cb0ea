import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { ComboboxField } from '../../ui/fields/combobox-field';

/** More projects than a list offers are found on the page of projects. */
const CHOICES = 100;

export interface ProjectFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly name?: string;
  readonly value: string | null;
  readonly onChange: (projectId: string | null) => void;
}

/** One of the organization's active projects, or none. */
export function ProjectField({ label, hint, name, value, onChange }: ProjectFieldProps): ReactElement {
  const projects = useRead('/projects', { params: { query: { limit: CHOICES } } });
  const active = projects.data?.data.filter(({ state }) => state === 'active') ?? [];
  const choices = active.map((project) => ({ value: project.id, label: project.name, note: project.id }));
  return (
    <ComboboxField
      label={label}
      hint={hint}
      value={value}
      onChange={onChange}
      choices={choices}
      {...(name !== undefined && { name })}
    />
  );
}
