/** Converts values between PostgreSQL and the code that serves both databases. */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import { Buffer } from "node:buffer"
import { fromStorable, toStorable } from "../rows/storableText.ts"

/**
 * The driver's parsers of column values: they read a `bigint` as a number if that is exact, and text with every
 * character that was written.
 */
export const registry = (): PgTypes.Registry => {
  const types = PgTypes.makeRegistry()
  types.register(PgTypes.OID.int8, int8, { arrayOid: PgTypes.OID.int8Array })
  types.register(PgTypes.OID.text, text, { arrayOid: PgTypes.OID.textArray })
  types.register(PgTypes.OID.varchar, text)
  return types
}

/** Converts parameters to values that PostgreSQL can hold. */
export const parameters = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> => values.map(parameter)

const parameter = (value: unknown): unknown => {
  if (typeof value === "string") return toStorable(value)
  return Array.isArray(value) ? value.map(parameter) : value
}

const read8 = (bytes: Uint8Array, offset: number): number | bigint => {
  const value = new DataView(bytes.buffer, bytes.byteOffset + offset, 8).getBigInt64(0)
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const write8 = (value: number | bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
  return bytes
}

const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => Result.succeed(write8(value)),
  decode: (bytes) => Result.succeed(read8(bytes, 0)),
  read: (bytes, offset) => Result.succeed(read8(bytes, offset))
}

const readText = (bytes: Uint8Array, offset: number, size: number): string =>
  fromStorable(Buffer.from(bytes.buffer, bytes.byteOffset + offset, size).toString("utf8"))

const text: PgTypes.Codec<string> = {
  encode: (value) => Result.succeed(Buffer.from(value, "utf8")),
  decode: (bytes) => Result.succeed(readText(bytes, 0, bytes.length)),
  read: (bytes, offset, size) => Result.succeed(readText(bytes, offset, size))
}
