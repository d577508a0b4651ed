import type { PaymentRecord } from "../domain/Payment.ts"

/**
 * Whether a payment is unchanged since it was read. After the database went back to an earlier time, the same version number may
 * belong to another change.
 */
export const isSameVersion = ({ payment: stored }: PaymentRecord, { payment: read }: PaymentRecord): boolean =>
  stored.version === read.version && stored.updatedAt === read.updatedAt
