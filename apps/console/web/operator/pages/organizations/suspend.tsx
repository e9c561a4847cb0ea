import { type ReactElement } from 'react';
import { ConfirmWrite } from '../../../frame/confirm-write';
import { type Schemas, useWrite, type OperatorApi } from '../../api/use-api';
import { text } from './text';

type Organization = Schemas['PlatformOrganization'];

interface StateChangeProps {
  readonly organization: Organization;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Stops a customer: its name has to be typed. */
export const SuspendOrganization = (props: StateChangeProps): ReactElement => (
  <StateChange {...props} to="suspended" />
);
export const ReactivateOrganization = (props: StateChangeProps): ReactElement => (
  <StateChange {...props} to="active" />
);

function StateChange(props: StateChangeProps & { readonly to: Organization['state'] }): ReactElement {
  const { organization, isOpen, onClose, to: state } = props;
  const words = state === 'suspended' ? text.suspend : text.reactivate;
  const params = { path: { organization_id: organization.id } };
  const change = useWrite(
    (api: OperatorApi) => api.patch('/organizations/{organization_id}', { params, body: { state } }),
    { changes: ['/organizations'], says: words.done },
  );
  return (
    <ConfirmWrite
      write={change}
      isOpen={isOpen}
      onClose={onClose}
      words={words}
      isDanger={state === 'suspended'}
      typedName={state === 'suspended' ? organization.name : undefined}
    />
  );
}
