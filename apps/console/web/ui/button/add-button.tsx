import { type ReactElement } from 'react';
import { PlusIcon } from '../icons/later-icons';
import { Button, type ButtonProps } from './button';

/** The button that begins something new: of a page, or of a list. */
export const AddButton = (props: Pick<ButtonProps, 'onClick' | 'children'>): ReactElement => (
  <Button variant="primary" icon={<PlusIcon />} {...props} />
);
