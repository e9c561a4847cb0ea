import { type ReactElement } from 'react';
import { useActiveProjects } from '../api/use-active-projects';
import { useNames } from '../api/use-names';
import { shortId } from '../format/ids';
import { ComboboxField } from '../ui/fields/combobox-field';

interface ProjectFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly name?: string;
  readonly value: string | null;
  readonly onChange: (projectId: string | null) => void;
}

/** One of the organization's active projects, or none. One that was chosen elsewhere may be any of its projects. */
export function ProjectField({ label, hint, name, value, onChange }: ProjectFieldProps): ReactElement {
  const offered = useActiveProjects().map((project) => ({
    value: project.id,
    label: project.name,
    note: project.id,
  }));
  const isOffered = value === null || offered.some((choice) => choice.value === value);
  const names = useNames('/projects', [isOffered ? null : value]);
  const choices = isOffered
    ? offered
    : [{ value, label: names.get(value) ?? shortId(value), note: value }, ...offered];
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
