import { Link } from '@tanstack/react-router';
import { type DeliveryLink } from '../../deliveries/delivery-table';
import { integrationDeliveryRoute } from './route';

/** The link to a delivery to an integration. */
export const linkTo =
  (integrationId: string): DeliveryLink =>
  (deliveryId, time) => (
    <Link to={integrationDeliveryRoute.to} params={{ integrationId, deliveryId }}>
      {time}
    </Link>
  );
