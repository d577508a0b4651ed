import { findRawCardData } from "../domain/RawCardData.ts"

/** A vendor's code or event id for storage; `null` if it contains a card number. */
export const keptCode = (code: string | null | undefined): string | null =>
  code === undefined || code === null || findRawCardData(code) !== null ? null : code
