/** Publishing: what follows a new version, and a version that another person published meanwhile. */
import { useMutation } from "@tanstack/react-query"
import { reread } from "../../api/client.ts"
import { isProblem } from "../../api/problems.ts"
import type { Schemas } from "../../api/client.ts"
import { toast } from "../../ui/Toast.tsx"

const rereadRules = () =>
  reread("/dashboard/api/{account}/{mode}/rules", "/dashboard/api/{account}/{mode}/rules/versions")

interface Publishing {
  readonly send: () => Promise<{ readonly data?: Schemas["RulesVersion"] }>
  readonly onPublished: () => void
  /** Another version is the newest; it was read. */
  readonly onConflict: () => void
  /** Nothing was published, for another reason. */
  readonly onRefused: () => void
}

export const usePublication = ({ onConflict, onPublished, onRefused, send }: Publishing) =>
  useMutation({
    mutationFn: send,
    onSuccess: async ({ data }) => {
      await rereadRules()
      onPublished()
      if (data !== undefined) toast(`Version ${data.version} is in force.`)
    },
    onError: async (error) => {
      if (!isProblem(error, "version_conflict")) return onRefused()
      await rereadRules()
      onConflict()
    }
  })
