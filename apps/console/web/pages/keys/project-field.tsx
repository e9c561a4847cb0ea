import { type ReactElement } from 'react';
import { useActiveProjects } from '../../api/use-active-projects';
import { ComboboxField } from '../../ui/fields/combobox-field';

interface ProjectFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly name?: string;
  readonly value: string | null;
  readonly onChange: (projectId: string | null) => void;
}

/** One of the organization's active projects, or none. */
export function ProjectField({ label, hint, name, value, onChange }: ProjectFieldProps): ReactElement {
  const choices = useActiveProjects().map((project) => ({
    value: project.id,
    label: project.name,
    note: project.id,
  }));
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
