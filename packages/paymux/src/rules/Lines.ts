/** Both count from 1; a column is a UTF-16 unit, as editors count. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Finds the line and the column of an offset in `text`. */
export const positions = (text: string): ((offset: number) => Position) => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}
