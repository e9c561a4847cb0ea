import { choice } from '../../../browser/list';
import { listOf } from '../../api/list';

export const incidentList = listOf('/incidents', { state: choice(['open', 'resolved']) });
