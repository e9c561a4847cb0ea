import { Link } from '@tanstack/react-router';
import { type DeliveryLink } from '../../deliveries/delivery-table';
import { deliveryRoute } from './route';

/** The link to a delivery of an endpoint. */
export const linkTo =
  (endpointId: string): DeliveryLink =>
  (deliveryId, time) => (
    <Link to={deliveryRoute.to} params={{ endpointId, deliveryId }}>
      {time}
    </Link>
  );
