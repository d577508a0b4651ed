import { findRawCardData } from "../domain/RawCardData.ts"

/** A vendor's code or event id for storage; `null` if it is blank, or contains a card number. */
export const keptCode = (code: string | null | undefined): string | null =>
  code === undefined || code === null || !visible.test(code) || findRawCardData(code) !== null ? null : code

const visible = /[^\s\p{Cc}\p{Cf}]/u
