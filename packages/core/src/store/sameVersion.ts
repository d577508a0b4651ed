import type { PaymentRecord } from "../domain/Payment.ts"

/**
 * Whether a payment is stored as it was read. After the database went back to an earlier moment, the same number may stand
 * for another version.
 */
export const isSameVersion = ({ payment: stored }: PaymentRecord, { payment: read }: PaymentRecord): boolean =>
  stored.version === read.version && stored.updatedAt === read.updatedAt
