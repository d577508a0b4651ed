import { findRawCardData } from "../domain/RawCardData.ts"

/** A vendor's code or event id as it is kept: one with a card number in it is as good as none. */
export const keptCode = (code: string | null | undefined): string | null =>
  code === undefined || code === null || findRawCardData(code) !== null ? null : code
