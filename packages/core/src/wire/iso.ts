/** ms UTC → RFC 3339. The text of the last second is remembered: a payment writes the same second several times. */
export const iso = (ms: number): string => {
  const whole = Math.floor(ms)
  const second = Math.floor(whole / 1000)
  if (second !== lastSecond) {
    // A pure conversion of a given time; the clock is not read.
    // oxlint-disable-next-line no-restricted-globals
    lastText = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  return `${lastText}${String(whole - second * 1000).padStart(3, "0")}Z`
}

let lastSecond = Number.NaN
let lastText = ""
