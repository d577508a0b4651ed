/**
 * `@paymux/core/statement`: the bookings in a provider's statement. For authors of adapters whose provider lists its
 * movements.
 *
 * @module
 */

export { exactUnits, fittingFees, roundedFee } from "./fee.ts"
export type { StatementCapability } from "../provider/Capabilities.ts"
export type {
  MovementType,
  SignedMoney,
  StatementMovement,
  StatementPage,
  StatementQuery
} from "../provider/Statement.ts"
