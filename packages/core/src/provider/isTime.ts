/** Whether a value is a time in ms UTC up to the year 9999, or `null`. */
export const isTime = (value: unknown): value is number | null =>
  value === null || (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 253_402_300_800_000)
