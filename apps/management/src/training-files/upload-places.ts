import { GatewayError } from '@svc/kernel';

/** Each upload keeps some 16 MiB in memory. */
const PLACES = 8;

/**
 * The uploads that a process takes at a time. An organization gets its nth place only while n are free: whoever uploads
 * much leaves room for those who upload nothing yet.
 */
export class UploadPlaces {
  private readonly taken = new Map<string, number>();
  private free: number;

  constructor(places = PLACES) {
    this.free = places;
  }

  /** @throws GatewayError `overloaded` where there is no place; whatever `upload` throws. */
  async run<T>(organizationId: string, upload: () => Promise<T>): Promise<T> {
    const held = this.taken.get(organizationId) ?? 0;
    if (this.free <= held) {
      throw new GatewayError('overloaded', 'Too many files are being uploaded: try again in a moment.');
    }
    this.take(organizationId, 1);
    try {
      return await upload();
    } finally {
      this.take(organizationId, -1);
    }
  }

  private take(organizationId: string, count: 1 | -1): void {
    this.free -= count;
    const held = (this.taken.get(organizationId) ?? 0) + count;
    if (held === 0) this.taken.delete(organizationId);
    else this.taken.set(organizationId, held);
  }
}
