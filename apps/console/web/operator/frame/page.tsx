import { type ReactElement } from 'react';
import { PageFrame, type PageProps } from '../../frame/page';

/** The frame of every page of the operator. */
export const Page = (props: PageProps): ReactElement => <PageFrame place="Operator" {...props} />;
