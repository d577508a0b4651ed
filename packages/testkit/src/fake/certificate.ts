/** Makes X.509 certificates, so that no private key lies in the repository. DER by hand: Node reads certificates but makes none. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

/**
 * A certificate that only itself vouches for, valid from 2020 to `notAfter` for a host name, an IPv4 address or both, and
 * its private key: PEM, as `https.createServer` takes them.
 */
export const selfSigned = (certificate: {
  readonly dnsName?: string
  readonly ip?: string
  readonly notAfter: Date
}) => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(set(sequence(oid("550403"), tlv(0x0c, Buffer.from("paymux test")))))
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
  const names = [
    ...(certificate.dnsName === undefined ? [] : [tlv(0x82, Buffer.from(certificate.dnsName))]),
    ...(certificate.ip === undefined ? [] : [tlv(0x87, Buffer.from(certificate.ip.split(".").map(Number)))])
  ]
  const isCa = sequence(oid("551d13"), tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff])))))
  const subjectAltName = sequence(oid("551d11"), tlv(0x04, sequence(...names)))
  const toBeSigned = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date("2020-01-01T00:00:00Z")), time(certificate.notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(isCa, subjectAltName))
  )
  const signature = sign("sha256", toBeSigned, privateKey)
  const der = sequence(toBeSigned, ecdsaWithSha256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString("base64").match(/.{1,64}/g) ?? []
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" })
  }
}

const tlv = (tag: number, content: Buffer) => Buffer.concat([Buffer.from([tag]), length(content.byteLength), content])

const length = (bytes: number) => {
  if (bytes < 0x80) return Buffer.from([bytes])
  return bytes < 0x100 ? Buffer.from([0x81, bytes]) : Buffer.from([0x82, bytes >> 8, bytes & 0xff])
}

const sequence = (...items: ReadonlyArray<Buffer>) => tlv(0x30, Buffer.concat(items))
const set = (...items: ReadonlyArray<Buffer>) => tlv(0x31, Buffer.concat(items))
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, "hex"))
const time = (date: Date) => tlv(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, "")))
