import { assert, describe, it } from "@effect/vitest"
import {
  isReadOnlyByDefault,
  isRefusedWrite,
  isStandby,
  isUnconfirmedCommit,
  makeMessageReader
} from "../../../src/postgres/hosts/BackendMessages.ts"

const message = (type: string, body: string): Buffer => {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(body))
  bytes.write(type, 0, "latin1")
  bytes.writeInt32BE(4 + Buffer.byteLength(body), 1)
  bytes.write(body, 5)
  return bytes
}

// As PostgreSQL sends it with lc_messages = de_DE.
const canceledWait = message(
  "N",
  "SWARNUNG\0VWARNING\0C01000\0MWarten auf synchrone Replikation wird abgebrochen\0Fsyncrep.c\0L300\0RSyncRepWaitForLSN\0\0"
)

const rows = [message("D", "x".repeat(300)), message("D", ""), message("C", "INSERT 0 1\0")]

describe("messages of a server", () => {
  it("a wait for the standby that was given up is found in any language, and however the bytes are cut", () => {
    const bytes = Buffer.concat([...rows, canceledWait, ...rows, message("Z", "I")])
    for (let size = 1; size <= bytes.length; size++) {
      const read = makeMessageReader()
      const found = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        read(bytes.subarray(index * size, (index + 1) * size))
      ).flat()
      assert.deepStrictEqual(found.map(isUnconfirmedCommit), [true], `${size} bytes at a time`)
    }
  })

  it("other notices, errors and parameters are distinguished", () => {
    const read = makeMessageReader()
    const found = [
      ...read(message("N", "SNOTICE\0VNOTICE\0C00000\0Mrelation exists\0RDefineRelation\0\0")),
      ...read(message("S", "in_hot_standby\0on\0")),
      ...read(message("S", "in_hot_standby\0off\0")),
      ...read(message("S", "default_transaction_read_only\0on\0")),
      ...read(message("E", "SERROR\0VERROR\0C25006\0Mcannot execute INSERT in a read-only transaction\0\0")),
      ...read(message("E", "SERROR\0VERROR\0C23505\0Mduplicate key\0\0"))
    ]
    const which = (test: (message: (typeof found)[number]) => boolean) =>
      found.map(test).flatMap((is, at) => (is ? [at] : []))
    assert.deepStrictEqual(
      [which(isUnconfirmedCommit), which(isStandby), which(isReadOnlyByDefault), which(isRefusedWrite)],
      [[], [1], [3], [4]]
    )
  })
})
