import { describe, expect, it } from "@effect/vitest"
import { csvLine } from "../../packages/dashboard/app/src/lists/csv.ts"

describe("a line of a CSV file", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])("has no cell that begins as a formula: %j", (value) => {
    expect(csvLine([value])).toBe(`'${value.replace("\t=", "\t'=")}\r\n`)
  })

  it.each([
    ["Max;=1+1", "Max;'=1+1"],
    ["Max;\t@SUM(A1)", "Max;\t'@SUM(A1)"],
    ["Max\t+1", "Max\t'+1"],
    ["Max; -1;=2", "Max; '-1;'=2"],
    ["Max\n=1", `"Max\n'=1"`],
    ['Max;"=1', `"Max;""'=1"`]
  ])("has none where a spreadsheet separates at semicolons, tabs or lines: %j", (value, written) => {
    expect(csvLine([value])).toBe(`${written}\r\n`)
  })

  it.each(["a=b", "a - b", "a;b", "50+1"])("leaves other text as it is: %j", (value) => {
    expect(csvLine([value])).toBe(`${value}\r\n`)
  })
})
