import { type ReactElement, type ReactNode } from 'react';
import { Button } from '../button/button';
import { Form } from '../fields/form';

interface FilterFormProps {
  readonly onApply: () => void;
  readonly children: ReactNode;
}

/** The editor of a filter that is set at once, when it is done. */
export const FilterForm = ({ onApply, children }: FilterFormProps): ReactElement => (
  <Form error={null} onSubmit={onApply} actions={<Button type="submit">Apply</Button>}>
    {children}
  </Form>
);
