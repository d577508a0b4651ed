/** The database columns that contain encrypted endpoint secrets. */
import type { ServerSecrets } from "@paymux/core/wire"
import type { SealedColumn } from "../SealedColumn.ts"
import { boxOf } from "./SecretBox.ts"

/**
 * The columns in the order of re-encryption: a rotation of an endpoint's secret moves a text from the first column to
 * the second.
 */
export const endpointSecretColumns = (secrets: ServerSecrets): ReadonlyArray<SealedColumn> => {
  const box = boxOf(secrets)
  return [
    { box, table: "webhook_endpoints", id: "id", column: "secret", owner: "webhook endpoint" },
    { box, table: "webhook_former_secrets", id: "endpoint_id", column: "secret", owner: "webhook endpoint" }
  ]
}
