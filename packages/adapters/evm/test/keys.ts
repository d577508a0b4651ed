import { toHex } from "viem"
import { HDKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts"

/** The merchant's keys: the server is given the public one alone. */
const merchant = mnemonicToAccount(
  "legal winner thank year wave sausage worth useful legal winner thank yellow"
).getHdKey()
const accountKey = merchant.derive("m/44'/60'/0'")
export const xpub = accountKey.publicExtendedKey
export const xprv = accountKey.privateExtendedKey
/** What the merchant alone can make: the account of a deposit address. */
export const depositAccount = (path: string) =>
  privateKeyToAccount(toHex(HDKey.fromExtendedKey(xprv).derive(`m/${path}`).privateKey ?? new Uint8Array()))
